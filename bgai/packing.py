"""Networks and their like on the way to another process: bytes that `pickle.loads` turns into what kernels were
compiled for."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.bearoff import bearoffs, no_bearoffs
from bgai.errors import ConfigError
from bgai.kernels.forward import Net
from bgai.kernels.static import Bearoffs
from bgai.kernels.vector import aligned


def pack(what: object, apart: Callable[[pickle.PickleBuffer], object] | None = None) -> bytes:
    """The same bytes for the same.

    Args:
        apart: is shown the bytes of each array, and takes those for which it returns something false: they are left
            out, and `pickle.loads` needs them as `buffers`, in the same order and such as may be written to.

    Raises:
        ConfigError: bear-off tables that the other process would not have.
    """
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL, buffer_callback=apart).dump(what)
    return packed.getvalue()


class _Packer(pickle.Pickler):
    """Leaves out the bear-off tables, which each machine has, and keeps what kernels need of arrays."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Net):
            return _net, tuple(value)
        if type(value) is np.ndarray and not value.flags.writeable:
            return _read_only, (value.copy(),)
        if not isinstance(value, Bearoffs):
            return NotImplemented
        if not value.most and not value.exact_most:
            return no_bearoffs, ()
        if value.exact is not bearoffs().exact:
            raise ConfigError("bear-off tables of one's own cannot be sent to another process")
        return bearoffs, ()


def _net(table: NDArray[Any], bias: NDArray[Any], weights: NDArray[Any], widths: NDArray[Any]) -> Net:
    return Net(aligned(table), aligned(bias), aligned(weights), widths)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """To a kernel an array that may be written to is of another type, for which it would be compiled anew."""
    array.setflags(write=False)
    return array
