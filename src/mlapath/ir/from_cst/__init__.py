"""The lowering by way of libcst, which reads newer syntax than the running Python does."""
