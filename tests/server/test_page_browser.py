"""The page in a browser: games that are played by its own buttons, a reload, two tabs, a bad network, the keyboard.

A server with a small network of random weights runs in this process; headless Chromium is driven by playwright. The
page runs under its policy, so that a script from elsewhere or inside a document would not run here either.
"""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from bgai.errors import InputError
from bgai.matchfiles import read_match
from bgai.notation.fibs import format_fibs_board
from bgai.notation.xgid import parse_xgid
from bgai.room import store
from bgai.room.fair_dice import DiceRecord, FairDice, Thrown, commitment_of, verify
from bgai.server.app import create_app
from bgai.server.settings import Settings
from tests.cli import save_model

CHROMIUM = shutil.which("chromium")
try:
    import uvicorn
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect, sync_playwright
except ImportError:
    pytest.skip("needs playwright and uvicorn to drive chromium", allow_module_level=True)
if CHROMIUM is None:
    pytest.skip("needs chromium", allow_module_level=True)

# So long on a machine with much else to do; what is right is seen at once.
expect.set_options(timeout=30_000)

SEED = bytes(range(32))
DESK, TELEPHONE = (1280, 800), (360, 740)
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
LAST_ROLLS = f"XGID=--A--A{'-' * 14}a--a--:0:0:1:00:0:0:0:5:10"
"""Both have a checker on their 5 and their 2 point: a double and a take."""
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:0:10"
BAD_DOUBLE = f"XGID=-A{'-' * 17}a----a-:0:0:-1:D:0:0:3:0:10"
"""The network needs a lucky roll, else the person is off."""
NEARLY_A_GAMMON = f"XGID=------O{'-' * 17}b-:1:-1:1:00:0:0:0:0:10"
"""The network is off with its next roll; only with a 6 the person takes off a checker before."""
LOST_FOR_THE_NETWORK = f"XGID=-A{'-' * 20}ddd-:0:0:-1:00:0:0:0:0:10"
"""The network is on roll with twelve checkers left, the person has one on its ace point."""
HITS = "XGID=--a-a-F-C---cC-------ac-c-:0:0:1:42:0:0:0:0:10"
"""8/4 and 8/2 hit, 8/6 lands on a stack of six, 13/9 on nobody."""
BEFORE_A_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:3:10"
SHORT = "XGID=----B-CB--A-----a--bc-b---:0:0:1:00:0:0:0:0:10"
"""Both bear off soon, past each other first."""

# What somebody does who always takes the first place that lights up, until an element is shown or so many turns are
# over.
PLAYS_ON = """async ([until, turns]) => {
  const at = (id) => document.getElementById(id);
  const tick = () => new Promise((resolve) => setTimeout(resolve, 4));
  const enter = (rect) => {
    rect.focus();
    rect.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
  };
  let done = 0;
  for (let tries = 0; tries < 5000; tries++) {
    if (at(until) && !at(until).hidden) return done;
    const dialog = document.querySelector('dialog[open] [data-answer=yes]');
    const buttons = ['do-confirm', 'do-roll', 'do-take', 'do-accept', 'do-next'].map(at);
    const press = buttons.find((one) => one && !one.disabled);
    const place = document.querySelector('#board .touch.target') ?? document.querySelector('#board .touch.source');
    if (dialog) dialog.click();
    else if (press) {
      if (press.id === 'do-confirm' && done++ === turns) return done;
      press.click();
    } else if (place) enter(place);
    await tick();
  }
  throw new Error('nothing happens any more: ' + at('status').textContent);
}"""


class Running:
    """A server on a port that is free when it is started first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._port = 0

    def start(self) -> None:
        app = create_app(self._settings)
        self._server = uvicorn.Server(
            uvicorn.Config(app, port=self._port, log_config=None, timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive()
            time.sleep(0.02)
        self._port = self._server.servers[0].sockets[0].getsockname()[1]

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a small network."""
    folder = tmp_path_factory.mktemp("page")
    running = Running(Settings(model=str(save_model(folder / "tiny")), db=f"sqlite:///{folder / 'games.sqlite'}"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def address(server: Running) -> str:
    """Where the page is."""
    return server.address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without what costs processor time and draws nothing here."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-extensions"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A browser that remembers nothing."""
    width, height = DESK
    opened = browser.new_context(base_url=address, viewport={"width": width, "height": height}, reduced_motion="reduce")
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


@pytest.fixture
def tab(context: BrowserContext) -> Iterator[Page]:
    """The page, which must not fail in silence."""
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("console", lambda said: failures.append(said.text) if "Security Policy" in said.text else None)
    page.goto("/")
    yield page
    assert not failures


def begin(page: Page, **wishes: str | bool) -> None:
    """Fills in the dialog for a new game and begins it."""
    if not page.locator("#new-game").is_visible():
        page.locator("#menu-new").dispatch_event("click")
    fill_in(page, **wishes)
    page.locator("#new-start").click()
    expect(page.locator("#new-game")).to_be_hidden()
    expect(page.locator("#actions button").first).to_be_visible()


def fill_in(page: Page, **wishes: str | bool) -> None:
    """Fills in the dialog for a new game."""
    form = page.locator("#new-form")
    if wishes.get("position"):
        form.get_by_text("Begin with a position").click()
    for name, wish in wishes.items():
        field = form.locator(f"[name={name}]")
        if name == "kind":
            form.locator(f"[name=kind][value={wish}] + span").click()
        elif name == "level":
            field.select_option(str(wish))
        elif isinstance(wish, bool):
            field.set_checked(wish)
        else:
            field.fill(wish)


def begin_another(page: Page, **wishes: str | bool) -> None:
    """The same while a game is going on."""
    page.locator("#menu-new").click()
    fill_in(page, **wishes)
    page.locator("#new-start").click()
    page.locator("[data-answer=yes]").click()
    expect(page.locator("#new-game")).to_be_hidden()
    expect(page.locator("#actions button:enabled").first).to_be_visible()


def choose(page: Page, **settings: str) -> None:
    """Makes settings."""
    page.locator("#menu-settings").click()
    for name, value in settings.items():
        page.locator(f"#settings-fields [data-preference={name}]").select_option(value)
    page.locator("#settings [data-close]").click()


def kept(page: Page) -> dict[str, Any]:
    """The game as the server has it."""
    id = page.evaluate("JSON.parse(localStorage.getItem('bgai.game')).id")
    found: dict[str, Any] = httpx.get(f"{page.url.rstrip('/')}/api/v1/games/{id}?since=0").json()
    return found


def hints_of(page: Page) -> list[dict[str, Any]]:
    """All plays, the best in the eyes of this network first."""
    found = httpx.get(f"{page.url.rstrip('/')}/api/v1/games/{kept(page)['id']}/hints?top=0").json()
    plays: list[dict[str, Any]] = found["plays"]
    return plays


def type_play(page: Page, play: str) -> None:
    page.bring_to_front()
    page.locator("#type-text").fill(play)
    page.locator("#type-text").press("Enter")


def places(page: Page, kind: str) -> set[str]:
    """The places that are marked so."""
    return set(page.locator(f"#board .touch.{kind}").evaluate_all("found => found.map(one => one.dataset.place)"))


def checkers(page: Page) -> dict[str, int]:
    """What is read out for each point that is not empty: how many of the person's, negative ones the network's."""
    labels = page.locator("#board .touch").evaluate_all("found => found.map(one => one.getAttribute('aria-label'))")
    found = {}
    for label in labels:
        match = re.match(r"Point (\d+): (your|opponent's) (\d+)", label)
        if match:
            found[match[1]] = int(match[3]) * (1 if match[2] == "your" else -1)
    return found


def seen_whole(part: Locator) -> bool:
    """Whether nothing covers or cuts off its middle."""
    seen: bool = part.evaluate("""part => {
      const {left, top, width, height} = part.getBoundingClientRect();
      return part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")
    return seen


def forged(change: Callable[[dict[str, Any]], None]) -> Callable[[Route], None]:
    """Answers with a proof in which something was changed."""

    def answer(route: Route) -> None:
        proof = route.fetch().json()
        change(proof)
        route.fulfill(json=proof)

    return answer


def _another_roll(proof: dict[str, Any]) -> None:
    first, second = proof["rolls"][1]["dice"]
    proof["rolls"][1]["dice"] = [first % 6 + 1, second]


def _another_seed(proof: dict[str, Any]) -> None:
    proof["server_seed"] = "00" * 32


def _another_promise(proof: dict[str, Any]) -> None:
    proof["commitment"] = "ab" * 32


def _a_roll_less(proof: dict[str, Any]) -> None:
    proof["rolls"].pop()


def _a_roll_that_nobody_saw(proof: dict[str, Any]) -> None:
    number = len(proof["rolls"])
    fair = FairDice(bytes.fromhex(proof["server_seed"]), proof["player_seed"])
    roll = {"number": number, "game": 1, "kind": "roll", "by": "bot", "dice": list(fair.roll(number))}
    proof["rolls"].append(roll)


def test_a_whole_game_for_money_and_its_dice_true_and_forged(tab: Page) -> None:
    begin(tab, kind="money", games="1", cube=False, tutor=False, name="Ann", position=SHORT)
    assert tab.evaluate(PLAYS_ON, ["banner", 10_000]) > 3
    state = kept(tab)
    assert state["phase"] == "over"
    if state["result"]["how"] == "bear-off":  # rather than by a resignation in a lost race
        assert max(state["off"].values()) == 15
    winner = "You win" if state["result"]["winner"] == "person" else "wins"
    expect(tab.locator("#banner")).to_contain_text(winner.replace("You win", "Ann wins"))
    plays = [event for event in state["events"] if event["event"] == "play"]
    assert tab.locator("#log li.person:not(.end), #log li.bot:not(.end)").count() == len(plays)

    tab.locator("#do-check").click()
    expect(tab.locator("#dice-verdict")).to_have_class("verdict good")
    expect(tab.locator("#dice-verdict")).to_contain_text(f"All {state['dice_proof']['rolls']} rolls")
    tab.locator("#dice [data-close]").click()

    for change in (_another_roll, _another_seed, _another_promise, _a_roll_less, _a_roll_that_nobody_saw):
        tab.route("**/dice", forged(change))
        tab.locator("#menu-dice").click()
        expect(tab.locator("#dice-verdict")).to_have_class("verdict bad")
        tab.locator("#dice [data-close]").click()
        tab.unroute("**/dice")


def test_hashes_without_the_browser_s_own(tab: Page) -> None:
    """Pages from another machine over http have no WebCrypto."""
    differ = tab.evaluate("""async () => {
      const ours = await import('/sha256.js');
      const same = (one, other) => one.join() === other.join();
      const wrong = [];
      for (const length of [0, 1, 32, 55, 56, 63, 64, 65, 119, 200]) {
        const bytes = Uint8Array.from({length}, (_, n) => 7 * n + length);
        if (!same(ours.plainSha256(bytes), await ours.sha256(bytes))) wrong.push(length);
        if (length && !same(ours.plainHmac(bytes, bytes), await ours.hmac(bytes, bytes))) wrong.push(-length);
      }
      return wrong;
    }""")
    assert differ == []


def test_the_page_finds_what_verify_dice_finds(tab: Page) -> None:
    """Whether the server has shown what it lists, or something else."""
    right = record()
    equal = next(found for text in map(str, range(99)) if (found := record(seed=text)).rolls[1].kind == "opening")

    def changed(place: int, of: DiceRecord = right, **values: Any) -> DiceRecord:
        return replace(of, rolls=(*of.rolls[:place], replace(of.rolls[place], **values), *of.rolls[place + 1 :]))

    last = len(right.rolls) - 1
    one_more = replace(right.rolls[last], number=last + 1, dice=FairDice(SEED, "Ann").roll(last + 1))
    forged = {
        "a roll that is no opening throw": changed(0, kind="roll"),
        "a late opening throw": changed(1, kind="opening"),
        "another game": changed(1, game=2),
        "a game that does not follow": changed(last, game=3),
        "another number": changed(2, number=3),
        "other dice": changed(2, dice=(right.rolls[2].dice[0] % 6 + 1, 1)),
        "one left out": replace(right, rolls=right.rolls[:2] + right.rolls[3:]),
        "one thrown again": replace(right, rolls=(*right.rolls[:2], right.rolls[1], *right.rolls[2:])),
        "equal dice that count": changed(1, equal, kind="roll"),
        "equal dice at the end": replace(equal, rolls=equal.rolls[:1]),
        "another commitment": replace(right, commitment="0" * 64),
        "another seed": replace(right, server_seed="00" * 32),
    }
    unseen = {"one more": replace(right, rolls=(*right.rolls, one_more)), "thrown by the other": changed(2, by="bot")}
    assert not any(verify(one) for one in (right, equal, *unseen.values()))
    assert [name for name, one in forged.items() if not verify(one)] == []
    forged["another kind"] = changed(1, kind="reroll")
    with pytest.raises(InputError, match="kind is 'reroll'"):
        DiceRecord.from_dict(forged["another kind"].to_dict())

    def good(listed: DiceRecord, seen: DiceRecord) -> bool | str:
        shown = [{name: roll[name] for name in ("game", "kind", "by", "dice")} for roll in seen.to_dict()["rolls"]]
        found: bool | str = tab.evaluate(
            """async ([proof, seen]) => {
              const { verify } = await import('/fair.js');
              return verify(proof, {}, seen).then(({ good }) => good, (error) => error.message);
            }""",
            [listed.to_dict(), shown],
        )
        return found

    assert good(right, right) is good(equal, equal) is True
    for name, one in forged.items():
        assert good(one, one) is good(one, right) is False, name
    for name, one in unseen.items():
        assert good(one, right) is False, name
    assert good(right, replace(right, rolls=(*right.rolls, one_more))) is False
    for seed in ("00" * 31, "xy" * 32):
        assert good(replace(right, server_seed=seed), right) == "the server's seed is not 64 hexadecimal digits"


def record(seed: str = "Ann") -> DiceRecord:
    """Two games of dice that are right."""
    dice, rolls = FairDice(SEED, seed), list[Thrown]()
    for game in (1, 2):
        while not rolls or rolls[-1].kind == "roll" or rolls[-1].dice[0] == rolls[-1].dice[1]:
            rolls.append(Thrown(len(rolls), game, "opening", None, dice.roll(len(rolls))))
        rolls += [
            Thrown(number, game, "roll", "person", dice.roll(number)) for number in range(len(rolls), len(rolls) + 4)
        ]
    return DiceRecord(commitment_of(SEED), True, seed, SEED.hex(), tuple(rolls))


def fixed_seed(monkeypatch: pytest.MonkeyPatch, tab: Page, number: int) -> None:
    """The next game's dice follow from the player's seed: the server draws no other seed than this."""
    monkeypatch.setattr(store, "draw_seed", lambda: bytes([number]) * 32)
    tab.reload()


def until(page: Page, what: Callable[[], bool]) -> None:
    """Waits until something is so.

    Not by `wait_for_function`: it evaluates text, which the page forbids after the first time.
    """
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def cube_of(page: Page) -> list[str]:
    """What the cube shows, and which part of the board it lies in."""
    found: list[str] = page.evaluate("""() => {
      const cube = document.querySelector('#board .cube').getBoundingClientRect();
      const board = document.getElementById('board').getBoundingClientRect();
      const height = (cube.top + cube.height / 2 - board.top) / board.height;
      const side = height > 0.6 ? 'person' : height < 0.4 ? 'bot' : 'middle';
      return [document.querySelector('#board .cube text').textContent, side];
    }""")
    return found


def logged(page: Page) -> list[str]:
    """The lines of the log."""
    return page.locator("#log li").all_inner_texts()


def test_a_match_with_the_cube(tab: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the bear-off the chances are known exactly, so that any network doubles and takes as it does here."""
    fixed_seed(monkeypatch, tab, 1)
    # The person rolls 2-4, the network misses with 3-1, the person is off with 4-6 and begins the next games.
    begin(tab, position=LAST_ROLLS, tutor=False, player_seed="match 780")
    assert not any("throw" in line for line in logged(tab))  # the opening throw plays no part
    expect(tab.locator("#contest")).to_have_text("5 points · game 1")
    assert cube_of(tab) == ["64", "middle"]
    said, yes = tab.locator("dialog[open] h2"), tab.locator("dialog [data-answer=yes]")
    tab.locator("#do-double").click()
    tab.locator("dialog [data-answer=no]").click()
    assert cube_of(tab) == ["64", "middle"]
    expect(tab.locator("#do-double")).to_have_text("Double")
    tab.locator("#do-double").click()
    expect(said).to_have_text("Double to 2?")
    yes.click()
    until(tab, lambda: cube_of(tab) == ["2", "bot"])
    expect(tab.locator("#do-roll")).to_be_enabled()
    expect(tab.locator("#do-double")).to_have_count(0)
    until(tab, lambda: logged(tab)[-2:] == ["You double to 2.", "tiny takes: the cube is at 2."])

    tab.locator("#do-roll").click()
    type_play(tab, "5/1 2/off")
    expect(tab.locator("#person .pips")).to_have_text("1 pip")
    tab.locator("#do-confirm").click()
    expect(tab.locator("#status")).to_have_text("A redouble: play on for 4, or pass and lose 2?")
    expect(tab.locator("#board .cube.offered text")).to_have_text("4")
    tab.locator("#do-take").click()
    expect(said).to_have_text("Take at 4?")
    yes.click()
    until(tab, lambda: cube_of(tab) == ["4", "person"])
    expect(tab.locator("#do-roll")).to_be_enabled()
    expect(tab.locator("#do-double")).to_have_text("Redouble")
    tab.locator("#do-roll").click()
    type_play(tab, "1/off")
    tab.locator("#do-confirm").click()
    expect(tab.locator("#banner")).to_have_text("You win 4 points.Score 4–0 in a match to 5")

    tab.locator("#do-next").click()
    expect(tab.locator("#contest")).to_have_text("5 points · Crawford game")
    expect(tab.locator("#do-undo")).to_be_visible()
    expect(tab.locator("#board .cube")).to_have_count(0)
    resign(tab, "backgammon")
    expect(tab.locator("#banner")).to_have_text(
        "tiny wins a backgammon, 3 points by resignation.Score 4–3 in a match to 5"
    )
    tab.locator("#do-next").click()
    expect(tab.locator("#contest")).to_have_text("5 points · game 3")
    expect(tab.locator("#do-undo")).to_be_visible()
    assert cube_of(tab) == ["64", "middle"]
    resign(tab, "gammon")
    expect(tab.locator("#banner")).to_contain_text("tiny wins the match.")
    assert kept(tab)["score"] == {"person": 4, "bot": 5}


def resign(page: Page, value: str) -> None:
    page.locator("#menu-resign").click()
    page.locator(f"dialog [data-answer={value}]").click()


def test_a_double_is_answered(tab: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed_seed(monkeypatch, tab, 2)
    begin(tab, position=BAD_DOUBLE, tutor=False, player_seed="beaver 10", games="1")
    expect(tab.locator("#board .cube.offered text")).to_have_text("2")
    expect(tab.locator("#status")).to_have_text("A double: play on for 2, or pass and lose 1?")
    tab.locator("#do-beaver").click()
    expect(tab.locator("dialog[open] h2")).to_have_text("Beaver to 4?")
    tab.locator("dialog [data-answer=yes]").click()
    expect(tab.locator("#do-roll")).to_be_enabled()  # the network has taken and missed
    assert cube_of(tab) == ["4", "person"]
    expect(tab.locator("#board .cube.offered")).to_have_count(0)
    assert "You beaver: the game is played for 4." in logged(tab)
    tab.locator("#do-double").click()
    expect(tab.locator("dialog[open] h2")).to_have_text("Redouble to 8?")
    tab.locator("dialog [data-answer=yes]").click()
    expect(tab.locator("#banner")).to_contain_text("You win 4 points by a pass.")
    until(tab, lambda: logged(tab)[-2:] == ["You redouble to 8.", "tiny passes. You win 4 points."])


def test_resigning(tab: Page) -> None:
    begin(tab, position=NEARLY_A_GAMMON, games="1")
    tab.locator("#menu-resign").click()
    choices = tab.locator("dialog[open] [data-answer]")
    expect(choices).to_have_text(["Cancel", "a single game: 2 points", "a gammon: 4 points", "a backgammon: 6 points"])
    choices.nth(1).click()
    expect(tab.locator("#log li").last).to_have_text("tiny refuses: the game goes on.")
    expect(tab.locator("#do-roll")).to_be_enabled()
    resign(tab, "backgammon")
    expect(tab.locator("dialog[open]")).to_contain_text("Resigning a backgammon gives away")
    tab.locator("[data-answer=stay]").click()
    expect(tab.locator("#banner")).to_contain_text("tiny wins a backgammon, 6 points by resignation.")

    # With the Jacoby rule all are worth the same until the cube is turned.
    begin(tab, position=NEARLY_A_GAMMON.replace(":1:-1:1:00:0:0:0", ":0:0:1:00:0:0:1"), tutor=False)
    tab.locator("#menu-resign").click()
    expect(choices).to_have_text(["Cancel", "a single game: 1 point"])
    choices.nth(1).click()
    expect(tab.locator("#banner")).to_contain_text("tiny wins 1 point by resignation.")

    begin(tab, position=LOST_FOR_THE_NETWORK, tutor=False, level="1-ply")
    expect(tab.locator("#bot .name")).to_have_text("tiny")  # and not tiny:1-ply once more
    expect(tab.locator("#bot .level")).to_have_text("1-ply")
    expect(tab.locator("#status")).to_have_text("It resigns: accept 1 point?")
    tab.locator("#do-refuse").click()
    expect(tab.locator("#do-roll")).to_be_enabled()
    assert "You refuse: the game goes on." in logged(tab)


def test_a_match_to_one_point_has_no_double(tab: Page) -> None:
    begin(tab, position=BEFORE_A_ROLL.replace(":3:10", ":1:10"), tutor=False)
    expect(tab.locator("#status")).to_have_text("Your turn: roll.")
    expect(tab.locator("#do-double")).to_have_count(0)


def test_a_reload_in_the_middle(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    type_play(tab, "8/5 6/5")
    tab.locator("#do-confirm").click()
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    before, shown = kept(tab), checkers(tab)
    tab.reload()
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    assert checkers(tab) == shown
    assert kept(tab)["version"] == before["version"]
    expect(tab.locator("#log li.person").first).to_contain_text("8/5 6/5")


def test_two_tabs_stay_in_step(context: BrowserContext, tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    other = context.new_page()
    other.goto("/")
    expect(other.locator("#do-confirm")).to_be_visible()
    type_play(other, "24/23 13/10")  # not confirmed
    type_play(tab, "8/5 6/5")
    tab.locator("#do-confirm").click()
    expect(other.locator("#log")).to_contain_text("31: 8/5 6/5")
    expect(other.locator("#notice")).to_contain_text("another tab")
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    expect(other.locator("#do-roll, #do-take").first).to_be_enabled()
    assert checkers(other) == checkers(tab)


def test_an_action_for_an_old_version_shows_how_things_stand(context: BrowserContext, tab: Page) -> None:
    tab.route("**/events?*", lambda route: route.abort())  # this tab hears nothing of the other
    begin(tab, position=OPENING, tutor=False)
    other = context.new_page()
    other.goto("/")
    type_play(other, "8/5 6/5")
    other.locator("#do-confirm").click()
    expect(other.locator("#do-roll, #do-take").first).to_be_enabled()
    type_play(tab, "24/23 13/10")
    tab.locator("#do-confirm").click()
    expect(tab.locator("#log")).to_contain_text("31: 8/5 6/5")
    assert checkers(tab) == checkers(other)
    plays = [event["play"] for event in kept(tab)["events"] if event["event"] == "play" and event["by"] == "person"]
    assert plays == ["8/5 6/5"]


def test_a_bad_network_loses_and_doubles_nothing(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    type_play(tab, "8/5 6/5")
    tries: list[str] = []

    def trouble(route: Route) -> None:
        tries.append(route.request.post_data or "")
        if len(tries) == 1:
            route.abort()  # does not arrive
        elif len(tries) == 2:
            route.fetch()
            route.fulfill(body='{"version": 3', content_type="application/json")  # arrives, but the answer is cut off
        else:
            route.continue_()

    tab.route("**/actions", trouble)
    tab.route("**/events?*", lambda route: route.abort())
    tab.locator("#do-confirm").click()
    expect(tab.locator("#notice.trouble")).to_contain_text("Trying again")
    expect(tab.locator("#do-confirm:enabled")).to_have_count(0)
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    assert len(tries) == 3
    assert len(set(tries)) == 1
    state = kept(tab)
    plays = [event["play"] for event in state["events"] if event["event"] == "play" and event["by"] == "person"]
    assert plays == ["8/5 6/5"]
    expect(tab.locator("#log li.person", has_text="8/5 6/5")).to_have_count(1)


def remembered(page: Page) -> dict[str, Any]:
    """What the browser remembers of its games, by their names."""
    found: dict[str, Any] = page.evaluate("JSON.parse(localStorage.getItem('bgai.games'))")
    return found


def test_a_seed_that_the_server_has_heard_is_not_used_with_another_promise(tab: Page) -> None:
    asked: list[dict[str, Any]] = []

    def trouble(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        if len(asked) == 1:
            route.fulfill(status=422, json={"title": "No", "detail": "not like this"})
        elif len(asked) == 2:
            route.abort()  # does not arrive
        elif len(asked) == 3:
            route.fetch()
            route.fulfill(body='{"id": "', content_type="application/json")  # the answer is cut off
        else:
            route.continue_()

    busy = iter([True, False])

    def promises(route: Route) -> None:
        if next(busy, False):
            route.fulfill(status=429, headers={"Retry-After": "1"}, json={"title": "Too much to do"})
        else:
            route.continue_()

    tab.route("**/commitments", promises)
    tab.route("**/games", trouble)
    tab.reload()
    # What is wrong is seen over the dialog.
    notice, commitment = tab.locator("#notice"), tab.locator("#new-commitment")
    expect(notice).to_have_text("The server is busy. Trying again …")
    assert tab.evaluate("""() => {
      const {left, top, width, height} = document.getElementById('notice').getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2).id;
    }""") == "notice"  # fmt: skip
    expect(commitment).to_have_text(re.compile("[0-9a-f]{64}"))
    expect(notice).to_be_hidden()

    fill_in(tab, position=SHORT, tutor=False, player_seed="my cat", games="1")
    first = commitment.inner_text()
    tab.locator("#new-start").click()
    expect(tab.locator("#new-error")).to_have_text("not like this")
    expect(commitment).to_have_text(re.compile(f"^(?!{first})[0-9a-f]{{64}}$"))
    seed, shown = tab.locator("[name=player_seed]").input_value(), commitment.inner_text()
    assert seed.startswith("my cat ")
    tab.locator("#new-start").click()
    expect(tab.locator("#new-error")).to_have_text("The server does not answer. Trying again …")
    expect(tab.locator("#actions button").first).to_be_visible()
    assert [asked[0][name] for name in ("player_seed", "commitment")] == ["my cat", first]
    assert [asked[1][name] for name in ("player_seed", "commitment")] == [seed, shown]
    assert all(one["player_seed"].startswith("my cat ") for one in asked[1:])
    for name in ("player_seed", "commitment"):
        assert len({one[name] for one in asked}) == len(asked) == 4
    state = kept(tab)
    assert state["dice_proof"]["committed_first"]
    assert remembered(tab)[state["id"]]["asked"] == 4
    assert remembered(tab)[state["id"]]["commitment"] == asked[-1]["commitment"]
    tab.locator("#menu-dice").click()
    expect(tab.locator("#dice-body")).to_contain_text("asked for 4 times")
    tab.unroute("**/games")
    tab.locator("#dice [data-close]").click()

    # Another game does not end this one, and an empty seed is filled in here and not by the server.
    tab.locator("#menu-new").click()
    expect(commitment).to_have_text(re.compile("[0-9a-f]{64}"))
    fill_in(tab, kind="money", games="1", player_seed="")
    tab.locator("#new-start").click()
    expect(tab.locator("dialog[open] h2").last).to_have_text("Begin another game?")
    tab.locator("[data-answer=no]").click()
    expect(tab.locator("#new-start")).to_be_enabled()
    assert kept(tab)["id"] == state["id"]
    tab.locator("#new-start").click()
    tab.locator("[data-answer=yes]").click()
    expect(tab.locator("#new-game")).to_be_hidden()
    other = kept(tab)
    assert other["id"] != state["id"]
    assert other["dice_proof"]["player_seed"] == remembered(tab)[other["id"]]["playerSeed"]
    assert re.fullmatch("[0-9a-z]{20}", other["dice_proof"]["player_seed"])
    expect(tab.locator("#actions button").first).to_be_visible()
    tab.locator("#menu-new").click()
    # Unfolded, because a game is not over; what is said of it tells it from others.
    rows = tab.locator("#new-others-list li")
    expect(rows).to_have_count(1)
    expect(rows).to_be_visible()
    expect(rows).to_contain_text("Money: You – tiny, 0–0")
    pips = state["pips"]
    expect(rows).to_contain_text(f"game 1, you are on roll, pips {pips['person']}–{pips['bot']}, level 0-ply")
    rows.locator("button").click()
    expect(tab.locator("#new-game")).to_be_hidden()
    expect(tab.locator("#log")).to_contain_text("The position is set up")
    assert kept(tab)["id"] == state["id"]
    tab.locator("#menu-leave").click()
    tab.locator("[data-answer=yes]").click()
    tab.locator("#do-check").click()
    expect(tab.locator("#dice-verdict")).to_have_class("verdict good")
    expect(tab.locator("#dice-body")).to_contain_text("This browser remembers both")


def test_a_press_beside_a_dialog_closes_it_and_selecting_text_does_not(tab: Page) -> None:
    box = tab.locator("[name=player_seed]").bounding_box()
    assert box is not None
    tab.mouse.move(box["x"] + 20, box["y"] + 20)
    tab.mouse.down()
    tab.mouse.move(20, 400)
    tab.mouse.up()
    expect(tab.locator("#new-game")).to_be_visible()
    tab.mouse.click(20, 400)
    expect(tab.locator("#new-game")).to_be_hidden()


def test_an_answer_that_does_not_end_is_given_up(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    # The stream of events begins at once and never ends.
    assert tab.evaluate("""async (id) => {
      const { Api } = await import('/api.js');
      const api = new Api({ ontrouble() {}, onwell() {} });
      const asked = api.get(`/games/${id}/events`, { tries: 1, patience: 300 });
      return asked.then(() => 'an answer', (error) => error.message);
    }""", kept(tab)["id"]) == "The server does not answer."  # fmt: skip


def test_a_restart_of_the_server_in_the_middle(tab: Page, server: Running) -> None:
    begin(tab, position=OPENING, tutor=False)
    server.stop()
    type_play(tab, "8/5 6/5")
    tab.locator("#do-confirm").click()
    expect(tab.locator("#notice.trouble")).to_contain_text("Trying again")
    server.start()
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    expect(tab.locator("#notice")).to_be_hidden()
    expect(tab.locator("#log li.person", has_text="8/5 6/5")).to_have_count(1)


def test_a_turn_by_the_keyboard_alone(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    board = tab.locator("#board")
    board.locator('[tabindex="0"]').focus()  # where Tab comes to
    assert board.locator('[tabindex="0"]').count() == 1

    def go(key: str, until: str) -> None:
        for _ in range(12):
            if tab.evaluate("document.activeElement.dataset.place") == until:
                return
            tab.keyboard.press(key)
        raise AssertionError(until)

    go("ArrowDown", "1")
    go("ArrowLeft", "6")
    tab.keyboard.press("Enter")
    assert places(tab, "target") == {"5", "3", "2"}
    expect(tab.locator("#live")).to_contain_text("Point 6 selected. It can go to 3, 5, 2.")
    go("ArrowRight", "5")
    tab.keyboard.press("Enter")
    tab.keyboard.press("u")
    assert checkers(tab)["6"] == 5
    go("ArrowLeft", "8")
    tab.keyboard.press("Enter")
    go("ArrowRight", "5")
    tab.keyboard.press("Enter")
    go("ArrowLeft", "6")
    tab.keyboard.press("Enter")
    go("ArrowRight", "5")
    tab.keyboard.press("Enter")
    expect(tab.locator("#status")).to_have_text("8/5 6/5")
    assert checkers(tab)["5"] == 2
    tab.keyboard.press("c")
    expect(tab.locator("#log")).to_contain_text("31: 8/5 6/5")
    expect(tab.locator("#live")).to_contain_text("You play 8/5 6/5.")


def test_moving_by_dragging_and_tapping(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)

    def middle(place: int) -> tuple[float, float]:
        box = tab.locator(f'#board [data-place="{place}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    tab.mouse.move(*middle(24))
    tab.mouse.down()
    tab.mouse.move(*middle(22), steps=3)
    assert places(tab, "target") == {"23", "21", "20"}
    tab.mouse.move(*middle(20), steps=3)
    tab.mouse.up()  # with both dice at once
    expect(tab.locator("#status")).to_have_text("24/20")
    tab.locator("#do-undo").click()
    assert checkers(tab)["24"] == 2
    tab.mouse.click(*middle(13))
    tab.mouse.click(*middle(2))  # nothing goes there: nothing happens
    assert places(tab, "selected") == set()
    tab.mouse.click(*middle(13))
    tab.mouse.click(*middle(10))
    assert checkers(tab)["10"] == 1
    expect(tab.locator("#do-confirm")).to_be_disabled()
    type_play(tab, "8/2")
    expect(tab.locator("#type-error")).to_contain_text("8/2 is not a legal play of this roll")


def test_the_tutor_warns_and_lets_take_back(tab: Page) -> None:
    begin(tab, position=OPENING)
    state, plays = kept(tab), hints_of(tab)
    worst = max(plays, key=lambda play: play["loss"])
    assert worst["loss"] > 0.12  # a blunder, in the eyes of this network
    type_play(tab, worst["play"])
    said = tab.locator("dialog[open]")
    tab.route("**/check", lambda route: route.abort())
    tab.locator("#do-confirm").click()
    expect(said).to_contain_text("The tutor could not look at this")
    said.get_by_text("Cancel").click()
    assert kept(tab)["version"] == state["version"]
    tab.locator("#do-confirm").click()
    expect(said).to_contain_text("The tutor could not look at this")
    tab.unroute("**/check")
    said.locator("[data-answer=again]").click()
    expect(said).to_contain_text("blunder")
    expect(said).to_contain_text(plays[0]["play"])
    said.locator("[data-answer=back]").click()
    assert kept(tab)["version"] == state["version"]
    assert checkers(tab)["6"] == 5
    # Warned of blunders alone, a bad play goes through.
    choose(tab, warn="very bad")
    tab.route("**/check", lambda route: route.fulfill(json=route.fetch().json() | {"mark": "bad"}))
    type_play(tab, worst["play"])
    tab.locator("#do-confirm").click()
    expect(tab.locator("#log li.person").first).to_contain_text(worst["play"])
    tab.unroute("**/check")
    begin_another(tab, position=OPENING)
    choose(tab, warn="doubtful")

    tab.locator("#do-hint").click()
    expect(tab.locator("#hints .hint b").first).to_have_text(f"1. {plays[0]['play']}")
    assert tab.locator("#board .arrow.hint").count() > 0
    tab.locator("#hints .put").first.click()
    expect(tab.locator("#status")).to_have_text(plays[0]["play"])
    tab.locator("#do-confirm").click()
    expect(tab.locator("#log li.person").first).to_contain_text(plays[0]["play"])
    expect(tab.locator("dialog[open]")).to_have_count(0)


def test_a_position_is_set_up_and_played(tab: Page) -> None:
    tab.keyboard.press("Escape")
    tab.locator("#menu-setup").click()
    tab.locator("#setup-id").fill("4HPwATDgc/ABMA:cAkAAAAAAAAE")
    tab.locator("#setup-clear").click()
    for place in (3, 3, 2):
        tab.locator(f'#setup-board [data-place="{place}"]').click()
    tab.get_by_text("the bot's").click()
    for place in (20, 20, 20):
        tab.locator(f'#setup-board [data-place="{place}"]').click()
    tab.get_by_text("takes one away").click()
    tab.locator('#setup-board [data-place="20"]').click()
    text, error = tab.locator("#setup-id"), tab.locator("#setup-error")

    def write(name: str, value: str) -> None:
        tab.locator(f"#setup-{name}").fill(value)
        tab.locator(f"#setup-{name}").press("Tab")

    # What is wrong has to be mended first.
    for name, wrong, right in (("dice", "99", "D"), ("length", "65", "0"), ("score", "x", "0-0"), ("dice", "7", "2-1")):
        write(name, wrong)
        expect(error).to_be_in_viewport()
        expect(tab.locator("#setup-play")).to_be_disabled()
        write(name, right)
        expect(error).to_be_empty()
        expect(tab.locator("#setup-play")).to_be_enabled()
    assert text.input_value() == "XGID=--AB----------------b-----:0:0:1:21:0:0:0:0:10"
    # The rules of money do not become the Crawford game of a match.
    tab.locator("#setup-jacoby").check()
    tab.locator("#setup-beavers").check()
    assert text.input_value().endswith(":21:0:0:3:0:10")
    write("score", "4-2")
    write("length", "5")
    assert text.input_value().endswith(":21:4:2:0:5:10")
    tab.locator("#setup-crawford").check()
    assert text.input_value().endswith(":21:4:2:1:5:10")
    write("length", "7")
    assert text.input_value().endswith(":21:4:2:0:7:10")
    write("length", "0")
    write("score", "0-0")
    right = text.input_value()
    for wrong, said in (("--OB--", "You have 17 checkers"), ("--AB-o", "The bot has 17 checkers")):
        text.fill(right.replace("--AB--", wrong))
        expect(error).to_contain_text(said)
        expect(error).to_be_in_viewport()
        expect(tab.locator("#setup-play")).to_be_disabled()
    text.fill(right)
    expect(error).to_be_empty()
    expect(tab.locator("#setup-play")).to_be_enabled()
    text.fill(right.replace(":0:0:1:21", ":9999:0:1:21"))
    expect(error).to_contain_text("The board cannot show this")
    write("dice", "31")
    write("dice", "21")
    assert text.input_value() == "XGID=--AB----------------b-----:0:0:1:21:0:0:0:0:10"
    tab.locator("#setup-play").click()
    tab.locator("#new-start").click()
    expect(tab.locator("#do-confirm")).to_be_visible()
    assert kept(tab)["dice"] == [2, 1]
    assert checkers(tab) == {"2": 1, "3": 2, "20": -2}
    expect(tab.locator("#contest")).to_contain_text("Money")


def test_what_is_no_position_is_said_in_the_dialog(tab: Page) -> None:
    form = tab.locator("#new-form")
    form.get_by_text("Begin with a position").click()
    form.locator("[name=position]").fill("nonsense")
    tab.locator("#new-start").click()
    # It is said beside the button, wherever the dialog is scrolled to and however low the window is.
    error = tab.locator("#new-error")
    expect(error).to_contain_text("nonsense")
    expect(tab.locator("#new-game")).to_be_visible()
    for width, height in (TELEPHONE, (640, 400), DESK):
        tab.set_viewport_size({"width": width, "height": height})
        for scrolled in (0, 10_000):
            tab.locator("#new-game .body").evaluate(f"body => (body.scrollTop = {scrolled})")
            expect(error).to_be_in_viewport(ratio=1)
            assert seen_whole(error)

    # A FIBS board brings its match: that is shown, and cannot be changed.
    form.locator("[name=position]").fill(format_fibs_board(parse_xgid(OPENING.replace(":0:10", ":7:10"))))
    expect(tab.locator("#new-carried")).to_be_visible()
    expect(form.locator("[name=length]")).to_have_value("7")
    expect(form.locator("[name=length], [name=crawford], [name=kind]").locator("visible=true").first).to_be_disabled()
    assert form.locator("[name=length]:enabled, [name=crawford]:enabled, [name=kind]:enabled").count() == 0
    tab.locator("#new-start").click()
    expect(tab.locator("#contest")).to_contain_text("7 points")


def test_the_analysis_and_the_match_file(context: BrowserContext, tab: Page, tmp_path: Path) -> None:
    begin(tab, position=OPENING, name="Ann")
    best = hints_of(tab)[0]["play"]
    type_play(tab, best)
    tab.locator("#do-confirm").click()
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    with tab.expect_download() as download:
        tab.locator("#menu-download").click()
    download.value.save_as(tmp_path / "match.mat")
    assert re.fullmatch(r"Ann - tiny \d{4}-\d\d-\d\d \d\d-\d\d\.mat", download.value.suggested_filename)
    assert "Ann" in read_match((tmp_path / "match.mat").read_bytes()).record.players

    tab.locator("#menu-analysis").click()
    tab.locator("#analysis-start").click()
    expect(tab.locator("#analysis-report")).to_be_visible()
    with context.expect_page() as opened:
        tab.locator("#analysis-report").click()
    expect(opened.value.locator("body")).to_contain_text(best)


def test_a_game_that_the_server_has_forgotten(tab: Page) -> None:
    tab.evaluate("localStorage.setItem('bgai.game', JSON.stringify({id: 'nothing-like-it'}))")
    tab.reload()
    expect(tab.locator("#notice")).to_contain_text("does not keep that game any more")
    expect(tab.locator("#new-game")).to_be_visible()


def test_where_a_checker_may_land(tab: Page) -> None:
    begin(tab, position=HITS, tutor=False)
    expect(tab.locator("#live")).to_contain_text("You have 4-2 to play.")
    expect(tab.locator("#board .cube")).to_have_attribute("aria-label", re.compile("in the middle, showing 64"))
    tab.locator('#board [data-place="8"]').click()
    assert places(tab, "target") == {"6", "4", "2"}
    landings = """() => Object.fromEntries([...document.querySelectorAll('#board [data-landing]')].map((landing) => {
      const ring = landing.querySelector('circle.landing'), box = ring.getBoundingClientRect();
      const middle = (one) => one.left + one.width / 2 + (one.top + one.height / 2) * 1e4;
      const disc = [...document.querySelectorAll('#board .pieces .disc')].find(
        (one) => Math.abs(middle(one.getBoundingClientRect()) - middle(box)) < 2e3);
      const over = disc && disc.compareDocumentPosition(ring) & Node.DOCUMENT_POSITION_FOLLOWING
        && box.width > disc.getBoundingClientRect().width;
      const sights = landing.querySelectorAll('path.hit').length;
      return [landing.dataset.landing, [Boolean(over), sights, getComputedStyle(ring).stroke]];
    }))"""
    shown = tab.evaluate(landings)
    hit, move = shown["4"][2], shown["6"][2]
    assert hit != move
    # Around the blots and the top of the stack, over the checkers.
    assert shown == {"2": [True, 1, hit], "4": [True, 1, hit], "6": [True, 0, move]}
    tab.locator('#board [data-place="8"]').click()
    tab.locator('#board [data-place="13"]').click()
    assert tab.evaluate(landings)["9"] == [False, 0, move]
    said = "import('/figures.js').then(({typeset}) => typeset('You get -0.08 after 13/9 6-5 (-0.4)'))"
    assert tab.evaluate(said) == "You get −0.08 after 13/9 6-5 (−0.4)"


def test_settings_and_keys(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    choose(tab, keys="off")
    tab.keyboard.press("t")
    expect(tab.locator("#type-text")).not_to_be_focused()
    choose(tab, keys="on", confirm="auto", cubes="auto")
    tab.keyboard.press("Shift+T")
    expect(tab.locator("#type-text")).to_be_focused()
    type_play(tab, "8/5 6/5")  # goes without Confirm
    expect(tab.locator("#log")).to_contain_text("31: 8/5 6/5")
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    if kept(tab)["phase"] == "roll":
        assert tab.locator("#board .arrow.last").count() > 0
        choose(tab, arrows="off")
        expect(tab.locator("#board .arrow.last")).to_have_count(0)
    begin_another(tab, position=DOUBLED, tutor=False)
    expect(tab.locator("#board .cube")).to_have_attribute("aria-label", "You are offered the cube at 2")
    tab.keyboard.press("p")  # goes without a question
    expect(tab.locator("#banner")).to_contain_text("wins 1 point by a pass")


def test_how_the_page_fits_on_low_screens(tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    for width, height in ((640, 400), (844, 390)):
        tab.set_viewport_size({"width": width, "height": height})
        expect(tab.locator("#panel")).to_be_hidden()
        tab.locator("#open-menu").click()
        menu = tab.locator("#menu").evaluate(
            """menu => [menu.getBoundingClientRect().bottom, getComputedStyle(menu).overflowY,
              menu.scrollHeight > menu.clientHeight]"""
        )
        assert menu[0] <= height
        assert menu[1:] == ["auto", True]
        tab.keyboard.press("Escape")
        board = tab.locator("#board").bounding_box()
        assert board is not None
        assert board["width"] > 0.6 * (width - 220)
    # As a desk of 1280 x 1024 that is enlarged to 400 %.
    tab.set_viewport_size({"width": 320, "height": 256})
    expect(tab.locator("#board.tall")).to_be_visible()
    board = tab.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] > 280
    tab.mouse.move(160, 200)
    tab.mouse.wheel(0, 2000)
    expect(tab.locator("#do-hint")).to_be_in_viewport()


def test_a_finger_and_checkers_that_glide(browser: Browser, address: str) -> None:
    width, height = TELEPHONE
    touching = browser.new_context(
        base_url=address, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True
    )
    touching.set_default_timeout(60_000)
    page = touching.new_page()
    page.goto("/")
    begin(page, position=OPENING, tutor=False)
    expect(page.locator("#do-hint")).to_be_focused()
    page.locator("#do-hint").tap()
    expect(page.locator("#hints .hint")).to_have_count(5)
    # The board makes room for the sheet, so that all of it is seen with its arrows, and takes the room back.
    sheet_fits = """() => {
      const box = (id) => document.getElementById(id).getBoundingClientRect();
      const [board, person, sheet] = ['board', 'person', 'panel'].map(box);
      return Math.max(board.bottom, person.bottom) <= sheet.top && sheet.bottom <= innerHeight && sheet.height > 100;
    }"""
    until(page, lambda: bool(page.evaluate(sheet_fits)))
    sheet = page.locator("#panel").bounding_box()
    assert sheet is not None
    arrows = page.locator("#board .arrow.hint").evaluate_all(
        "found => found.map(one => one.getBoundingClientRect().bottom)"
    )
    assert arrows
    assert max(arrows) <= sheet["y"]
    low = page.locator("#board").evaluate("board => board.clientHeight")
    page.locator("#hints .put").first.tap()
    until(page, lambda: page.locator("#board").evaluate("board => board.clientHeight") > low + 50)

    held: list[Route] = []
    page.route("**/actions", lambda route: held.append(route))
    page.locator("#do-confirm").press("Enter")
    expect(page.locator("#bot.active")).to_be_visible()
    expect(page.locator("#person.active")).to_have_count(0)
    # A checker is in the air for a fraction of a second only: somebody has to look all the time.
    page.evaluate("""() => {
      window.mostFlying = 0;
      const look = () => {
        window.mostFlying = Math.max(window.mostFlying, document.querySelectorAll('#board .flying .checker').length);
      };
      new MutationObserver(look).observe(document.getElementById('board'), { childList: true, subtree: true });
    }""")
    held[0].continue_()
    page.unroute("**/actions")
    able = page.locator("#do-roll:enabled, #do-take:enabled")
    expect(able).to_be_focused()
    expect(page.locator("#person.active")).to_be_visible()
    assert page.evaluate("mostFlying") == 1

    page.locator("#open-menu").tap()
    page.locator("#menu-setup").tap()
    board = page.locator("#setup-board").bounding_box()
    assert board is not None
    touch = touching.new_cdp_session(page)
    for kind, y in (
        ("touchStart", 500),
        ("touchMove", 450),
        ("touchMove", 350),
        ("touchMove", 300),
        ("touchEnd", None),
    ):
        points = [] if y is None else [{"x": width / 2, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(page, lambda: page.locator("#setup .body").evaluate("body => body.scrollTop") > 100)
    touching.close()


@pytest.mark.parametrize("home", ["right", "left"])
def test_a_telephone(context: BrowserContext, tab: Page, home: str) -> None:
    width, height = TELEPHONE
    tab.set_viewport_size({"width": width, "height": height})
    tab.locator("#new-look [data-preference=home]").select_option(home)
    begin(tab, position=OPENING, tutor=False)
    expect(tab.locator("#do-hint")).to_be_visible()
    size = tab.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [width, height]
    found = tab.locator("#board .touch, #actions button, header button:visible").evaluate_all(
        "found => found.map(one => one.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"
    )
    assert len(found) > 28
    assert min(found) >= 40
    boxes = {place: tab.locator(f'#board [data-place="{place}"]').bounding_box() for place in (1, 24)}
    first, last = boxes[1], boxes[24]
    assert first is not None
    assert last is not None
    assert (first["x"] > last["x"]) == (home == "right")
    tab.locator("#open-menu").click()
    expect(tab.locator("#menu-settings")).to_be_in_viewport()
    tab.locator("#menu-settings").click()
    tab.locator("#settings-fields [data-preference=theme]").select_option("dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 27)"


def test_how_to_play(context: BrowserContext, tab: Page) -> None:
    begin(tab, position=OPENING, tutor=False)
    tab.get_by_text("How to play").click()
    expect(tab.locator("h1")).to_have_text("How to play")
    expect(tab.locator("#opening-board .checker")).to_have_count(30)
    expect(tab.locator("#opening-board .cube text")).to_have_text("64")
    tab.get_by_text("← To the board").click()
    expect(tab.locator("#do-hint")).to_be_enabled()
    assert len(context.pages) == 1
