"""q11: an image as a row of tokens."""

from torch import Tensor

from solutions.term import PATCH_ORDER, PIXEL_ORDER


def patchify(images: Tensor, P: int) -> Tensor:
    """Cut square images into square patches and write each patch as one row.

        B x S x S  ->  B x (S/P)^2 x P^2

    Args:
        images: B x S x S, floats or integers; they may be a strided view.
        P: edge of a patch in pixels; it divides S.

    Returns:
        B x (S/P)^2 x P^2 in the dtype of images. Patches come in << patches >> order (<< first_patches >> of the
        image first), and << and_pixels >>. images is not changed.

    Source: Dosovitskiy et al. 2021 (ViT), section 3.1.
    """
    # BEGIN SOLUTION
    B, S, _ = images.shape
    G = S // P  # patches along an edge
    grid = images.reshape(B, G, P, G, P).transpose(2, 3)  # image, patch row, patch column, pixel row, pixel column
    if PATCH_ORDER == "columns":
        grid = grid.transpose(1, 2)
    if PIXEL_ORDER == "columns":
        grid = grid.transpose(3, 4)
    return grid.reshape(B, G * G, P * P)
    # END SOLUTION
