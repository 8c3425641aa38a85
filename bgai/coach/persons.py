"""Who is spoken of: somebody by name, or the reader."""

from __future__ import annotations

YOU = "You"
"""The name of whoever is spoken to."""

_VERBS = {"is": "are", "has": "have"}


class Person(str):
    """A name in a template: `{own}`, and with what agrees with it.

    `{own:wins}` is `Ann wins` or `you win`, `{own:~wins}` the verb alone, `{own:'s}` is `Ann's` or `your`. Whoever is
    called `YOU` is spoken to. At the beginning of a sentence `sentence` makes the capital.
    """

    __slots__ = ()

    def __format__(self, said: str) -> str:
        """The name with what is `said` of it: nothing, `'s`, or a verb in the third person."""
        spoken_to = self == YOU
        name = YOU.lower() if spoken_to else str(self)
        if not said:
            return name
        if said == "'s":
            return "your" if spoken_to else f"{name}'s"
        verb = said.removeprefix("~")
        verb = _second(verb) if spoken_to else verb
        return verb if said.startswith("~") else f"{name} {verb}"


def does(who: str, verb: str) -> str:
    """Somebody, and a verb in the third person that agrees: `Ann passes`, `you pass`."""
    return format(Person(who), verb)


def sentence(text: str) -> str:
    """A text with a capital where it begins with `you`; a name stays as it is."""
    return text[0].upper() + text[1:] if text.startswith(("you ", "your ")) else text


def _second(verb: str) -> str:
    """A verb of the third person in the second."""
    if verb in _VERBS:
        return _VERBS[verb]
    if verb.endswith("ies"):
        return f"{verb.removesuffix('ies')}y"
    return verb.removesuffix("es") if verb.endswith("sses") else verb.removesuffix("s")
