"""The page in a browser: games that are played by its own buttons, a reload, two tabs, a bad network, the keyboard.

A server with a small network of random weights runs in this process; headless Chromium is driven by playwright. The
page runs under its policy, so that a script from elsewhere or inside a document would not run here either.
"""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bgai.matchfiles import read_match
from bgai.server.app import create_app
from bgai.server.settings import Settings
from tests.cli import save_model

CHROMIUM = shutil.which("chromium")
try:
    import uvicorn
    from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright
except ImportError:
    pytest.skip("needs playwright and uvicorn to drive chromium", allow_module_level=True)
if CHROMIUM is None:
    pytest.skip("needs chromium", allow_module_level=True)

DESK, TELEPHONE = (1280, 800), (360, 740)
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:0:10"
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


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a free port."""
    folder = tmp_path_factory.mktemp("page")
    settings = Settings(model=str(save_model(folder / "tiny")), db=f"sqlite:///{folder / 'games.sqlite'}")
    config = uvicorn.Config(create_app(settings), port=0, log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A browser that remembers nothing."""
    width, height = DESK
    opened = browser.new_context(base_url=address, viewport={"width": width, "height": height}, reduced_motion="reduce")
    opened.set_default_timeout(20_000)
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
    form = page.locator("#new-form")
    if wishes.get("position"):
        form.get_by_text("Begin with a position").click()
    for name, wish in wishes.items():
        field = form.locator(f"[name={name}]")
        if name == "kind":
            form.locator(f"[name=kind][value={wish}] + span").click()
        elif isinstance(wish, bool):
            field.set_checked(wish)
        else:
            field.fill(wish)
    page.locator("#new-start").click()
    expect(page.locator("#new-game")).to_be_hidden()
    expect(page.locator("#actions button").first).to_be_visible()


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

    for change in (_another_roll, _another_seed, _another_promise, _a_roll_less):
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


def test_a_match_with_the_cube(tab: Page) -> None:
    # Before a roll from the start, so that nobody has doubled yet.
    begin(tab, position=BEFORE_A_ROLL, tutor=False)
    cube = tab.locator("#board .cube text")
    expect(cube).to_have_text("64")
    tab.locator("#do-double").click()
    tab.locator("dialog [data-answer=no]").click()
    assert kept(tab)["cube"]["value"] == 1
    tab.locator("#do-double").click()
    expect(tab.locator("dialog[open] h2")).to_have_text("Double to 2?")
    tab.locator("dialog [data-answer=yes]").click()
    waits = tab.locator("#do-next, #do-roll, #do-hint + #do-undo, #do-take, #do-new")
    expect(waits).to_be_visible()
    state = kept(tab)
    events = [event["event"] for event in state["events"]]
    assert "double" in events
    if state["phase"] in ("roll", "play"):
        assert "take" in events
        expect(cube).to_have_text(str(state["cube"]["value"]))
    for _ in range(8):
        expect(waits).to_be_visible()
        (button,) = waits.evaluate_all("found => found.map(one => one.id)")
        if button == "do-new":
            break
        if button == "do-next":
            tab.locator("#do-next").click()
            expect(tab.locator("#banner")).to_be_hidden()
        elif button == "do-take":
            tab.locator("#do-pass").click()
            tab.locator("dialog [data-answer=yes]").click()
        else:
            tab.locator("#menu-resign").click()
            tab.locator("dialog [data-answer=backgammon]").click()
            expect(tab.locator("#banner")).to_be_visible()
    state = kept(tab)
    assert state["phase"] == "over"
    assert state["winner"] == "bot"
    expect(tab.locator("#banner")).to_contain_text("tiny wins the match.")
    expect(tab.locator("#contest")).to_contain_text("3 points")


def test_a_double_is_answered(tab: Page) -> None:
    begin(tab, position=DOUBLED, tutor=False)
    expect(tab.locator("#board .cube.offered text")).to_have_text("2")
    expect(tab.locator("#status")).to_contain_text("play on for 2, or pass and lose 1")
    tab.locator("#do-take").click()
    tab.locator("dialog [data-answer=yes]").click()
    expect(tab.locator("#do-take")).to_have_count(0)
    cube = kept(tab)["cube"]
    assert cube["value"] >= 2
    assert "take" in [event["event"] for event in kept(tab)["events"]]


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
            route.abort()  # arrives, but the answer gets lost
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
    tab.locator("#do-confirm").click()
    said = tab.locator("dialog[open]")
    expect(said).to_contain_text("blunder")
    expect(said).to_contain_text(plays[0]["play"])
    said.locator("[data-answer=back]").click()
    assert kept(tab)["version"] == state["version"]
    assert checkers(tab)["6"] == 5

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
    for place in (20, 20):
        tab.locator(f'#setup-board [data-place="{place}"]').click()
    tab.locator("#setup-dice").fill("21")
    tab.locator("#setup-dice").press("Tab")
    assert tab.locator("#setup-id").input_value() == "XGID=--AB----------------b-----:0:0:1:21:0:0:0:0:10"
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
    expect(tab.locator("#new-error")).to_contain_text("nonsense")
    expect(tab.locator("#new-game")).to_be_visible()


def test_the_analysis_and_the_match_file(context: BrowserContext, tab: Page, tmp_path: Path) -> None:
    begin(tab, position=OPENING, name="Ann")
    best = hints_of(tab)[0]["play"]
    type_play(tab, best)
    tab.locator("#do-confirm").click()
    expect(tab.locator("#do-roll, #do-take").first).to_be_enabled()
    with tab.expect_download() as download:
        tab.locator("#menu-download").click()
    download.value.save_as(tmp_path / "match.mat")
    assert "Ann" in read_match((tmp_path / "match.mat").read_bytes()).record.players

    tab.locator("#menu-analysis").click()
    tab.locator("#analysis-start").click()
    expect(tab.locator("#analysis-report")).to_be_visible(timeout=20_000)
    with context.expect_page() as opened:
        tab.locator("#analysis-report").click()
    expect(opened.value.locator("body")).to_contain_text(best)


def test_a_game_that_the_server_has_forgotten(tab: Page) -> None:
    tab.evaluate("localStorage.setItem('bgai.game', JSON.stringify({id: 'nothing-like-it'}))")
    tab.reload()
    expect(tab.locator("#notice")).to_contain_text("does not keep that game any more")
    expect(tab.locator("#new-game")).to_be_visible()


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


def test_how_to_play(tab: Page) -> None:
    tab.goto("/how-to-play.html")
    expect(tab.locator("h1")).to_have_text("How to play")
    assert tab.locator("#opening-board .checker").count() == 30
    expect(tab.locator("#opening-board .cube text")).to_have_text("64")
