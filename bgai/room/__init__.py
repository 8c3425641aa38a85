"""A game, match or session of a person against the bot, kept by a server, with dice that can be verified."""
