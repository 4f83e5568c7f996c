"""Smooth expected calibration error (Błasiok and Nakkiran 2023).

Binned errors jump when a confidence crosses a bin's edge. Here the residuals (correctness less confidence) are smoothed
by a Gaussian kernel reflected at 0 and 1, and the error at width s is the integral of the smoothed residual's absolute
value. The reported error is the one that equals its own width, so no width has to be chosen. The reflected Gaussian is
the heat kernel on [0, 1]: in the cosine basis it only multiplies, which makes one evaluation a fast cosine transform.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_GRID = 2048
_COARSEST = 256
_STEPS = 14
"""Halvings of [0, 1]: to 6e-5."""


def smooth_ece(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> float:
    """The smoothed error that equals the width of its kernel; between 0 and 1."""
    spectrum = _spectrum(confidence, correct)
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        width = (low + high) / 2
        if _error(spectrum, width) > width:
            low = width
        else:
            high = width
    return (low + high) / 2


def smooth_ece_at(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats, width: float) -> float:
    """The smoothed error at one width of the kernel."""
    return _error(_spectrum(confidence, correct), width)


def _spectrum(confidence: Sequence[float] | Floats, correct: Sequence[float] | Floats) -> Floats:
    """Cosine transform of the residuals' density: each is shared between its two neighbours on the grid."""
    from scipy.fft import dct

    p = np.clip(np.asarray(confidence, dtype=np.float64), 0.0, 1.0)
    residual = (np.asarray(correct, dtype=np.float64) - p) / len(p)
    place = np.clip(p * _GRID - 0.5, 0, _GRID - 1)
    left = np.minimum(place.astype(np.int64), _GRID - 2)
    share = place - left
    mass = np.bincount(left, residual * (1 - share), _GRID) + np.bincount(left + 1, residual * share, _GRID)
    spectrum: Floats = dct(mass * _GRID, type=2)
    return spectrum


def _error(spectrum: Floats, width: float) -> float:
    from scipy.fft import idct

    points = _points(width)
    damping = np.exp(-((np.pi * width * np.arange(points)) ** 2) / 2)
    smoothed = idct(spectrum[:points] * damping, type=2) * (points / _GRID)
    return float(np.abs(smoothed).mean())


def _points(width: float) -> int:
    """How fine a grid a kernel of this width needs: what it damps away need not be summed."""
    wanted = int(48 / width) if width > 0 else _GRID
    return min(_GRID, max(_COARSEST, 1 << wanted.bit_length()))
