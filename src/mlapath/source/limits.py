"""Sizes beyond which an archive or answer is taken as hostile or broken.

The largest real values seen (vLLM 0.16.0 to 0.33.0): 5,000 members, 1.2 MB for one Python file,
25 MB kept in all, an index page of 1 MB.
"""

from typing import Final

MEMBERS: Final = 200_000
"""Files in one archive."""

MEMBER_BYTES: Final = 32 * 1024 * 1024
"""Unpacked size of one kept file."""

KEPT_BYTES: Final = 512 * 1024 * 1024
"""Unpacked size of all kept files of one archive."""

ARCHIVE_BYTES: Final = 4 * 1024 * 1024 * 1024
"""Size of a downloaded archive."""

UNPACKED_BYTES: Final = 16 * 1024 * 1024 * 1024
"""Bytes read while walking a compressed tar, kept or not."""

DIRECTORY_BYTES: Final = 64 * 1024 * 1024
"""Central directory of a zip file."""

DATA_BYTES: Final = 512 * 1024
"""A data file (JSON, TOML, template) larger than this is listed but not kept."""
