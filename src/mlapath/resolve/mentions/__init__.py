"""What files mention by name: read out of their text, kept between runs."""

from mlapath.resolve.mentions.model import HANDED_ON, Asked, Mention, Mentions
from mlapath.resolve.mentions.reader import mentions_of
from mlapath.resolve.mentions.words import in_path, in_text

__all__ = ["HANDED_ON", "Asked", "Mention", "Mentions", "in_path", "in_text", "mentions_of"]
