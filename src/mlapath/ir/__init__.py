"""Source text to IR: nodes, lowering, codec."""

from mlapath.ir.errors import CodecError, ParseError

__all__ = ["CodecError", "ParseError"]
