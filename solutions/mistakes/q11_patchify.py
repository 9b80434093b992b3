"""Wrong answers to q11, written row by row (`solutions.term.order`)."""

# Students write no type annotations, and neither do their mistakes.
# mypy: ignore-errors
import torch
import torch.nn.functional as F

from solutions.mistakes import mistake
from solutions.term import PATCH_ORDER, PIXEL_ORDER

Q = "q11_patchify"


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="The image is reshaped at once: a row of the result holds pixels of one line, not of one patch.",
    hint="Which pixels does the second patch hold? Draw them into the image.",
    source="https://github.com/duoan/TorchCode/issues/21",
)
def reshapes_at_once():
    def patchify(images, P):
        B, S, _ = images.shape
        return images.reshape(B, (S // P) ** 2, P * P)

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause=f"Patches are counted {'down the columns' if PATCH_ORDER == 'rows' else 'along the rows'} of the grid.",
    hint="Which patch is the second one: the one to the right of the first, or the one below?",
)
def counts_patches_in_the_other_order():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.permute(0, 3, 1, 2, 4).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause=f"The pixels of a patch are written {'column by column' if PIXEL_ORDER == 'rows' else 'row by row'}.",
    hint="Which pixel of a patch is the second one: the one to the right of the first, or the one below?",
)
def writes_pixels_in_the_other_order():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.permute(0, 1, 3, 4, 2).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_pixel_is_in_its_place",
    cause="Every image is transposed: both orders are the other one.",
    hint="Rows first or columns first, in the grid and within a patch? Which axis does each of your numbers count?",
    source="https://github.com/lightly-ai/lightly-train/issues/189",
)
def transposes_the_images():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.mT.reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="Every P-th pixel is collected, so that a patch is spread over the whole image.",
    hint="The pixels of a patch are neighbours. How far apart are those of yours?",
)
def collects_every_pth_pixel():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, P, S // P, P, S // P)
        return grid.permute(0, 2, 4, 1, 3).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_pixel_is_in_its_place",
    cause="The axes of the grid and of the patch are exchanged in the first reshape.",
    hint="An axis of S pixels falls into S/P pieces of P pixels. Which of the two numbers counts the pieces?",
)
def splits_an_axis_the_wrong_way_round():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, P, S // P, P, S // P)
        return grid.transpose(2, 3).reshape(B, (S // P) ** 2, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="unfold counts patches along its last axis, and the result is not turned around.",
    hint="One row per patch. Which axis of yours counts patches?",
    source="https://github.com/apple/ml-capsules-inverted-attention-routing/issues/1",
)
def leaves_patches_in_columns():
    def patchify(images, P):
        return F.unfold(images[:, None], P, stride=P)

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="The result of unfold is reshaped where it should be transposed.",
    hint="Exchanging two axes moves numbers. Does the step that you use for it?",
    source="https://github.com/apple/ml-capsules-inverted-attention-routing/issues/1",
)
def reshapes_unfolded_patches():
    def patchify(images, P):
        columns = F.unfold(images[:, None], P, stride=P)
        return columns.reshape(len(images), -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="Patches overlap: they are taken at every pixel.",
    hint="Every pixel belongs to one patch. In how many of yours does the middle of the image occur?",
    source="https://github.com/ShivamRajSharma/Vision-Transformer/issues/3",
)
def lets_patches_overlap():
    def patchify(images, P):
        return F.unfold(images[:, None], P).mT

    return patchify


@mistake(
    Q,
    caught_by="views_of_larger_tensors_are_cut_alike",
    cause="view needs all pixels of an image in order in memory and fails where they are not.",
    hint="The images may be a view of a larger tensor. Which of your steps needs them in order in memory?",
)
def views_where_memory_is_out_of_order():
    def patchify(images, P):
        B, S, _ = images.shape
        places = torch.arange(S * S).reshape(S // P, P, S // P, P).transpose(1, 2)
        return images.view(B, S * S)[:, places.reshape(-1, P * P)]

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="view is asked to join axes that have changed places, which it cannot without moving pixels.",
    hint="After axes have changed places, neighbours in the result are no longer neighbours in memory.",
)
def views_after_changing_places():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P).transpose(2, 3)
        return grid.view(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="views_of_larger_tensors_are_cut_alike",
    cause="The strides of an image that fills its memory are assumed, and a cut-out gives pixels from outside.",
    hint="The pixel below is S numbers further on only if nothing lies between the rows. Does your code rely on it?",
)
def assumes_full_strides():
    def patchify(images, P):
        B, S, _ = images.shape
        G = S // P
        if images.stride(-1) != 1:
            images = images.contiguous()
        row = images.stride(1)
        grid = images.as_strided((B, G, G, P, P), (row * S, row * P, P, row, 1))
        return grid.reshape(B, G * G, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_pixel_is_in_its_place",
    cause="The result is float32 whatever comes in.",
    hint="Cutting changes no number. Compare the dtype of the images with that of the patches.",
)
def returns_float32_patches():
    def patchify(images, P):
        B, S, _ = images.shape
        G = S // P
        patches = torch.zeros(B, G * G, P * P)
        for row in range(G):
            for column in range(G):
                piece = images[:, row * P : (row + 1) * P, column * P : (column + 1) * P]
                patches[:, row * G + column] = piece.reshape(B, P * P)
        return patches

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="The row of patches is counted with P where the number of patches in a row belongs.",
    hint="How many patches stand in one row of the grid? It is not the size of a patch.",
)
def counts_patches_per_row_as_p():
    def patchify(images, P):
        B, S, _ = images.shape
        G = S // P
        patches = images.new_zeros(B, G * G, P * P)
        for row in range(G):
            for column in range(G):
                piece = images[:, row * P : (row + 1) * P, column * P : (column + 1) * P]
                patches[:, (row * P + column) % (G * G)] = piece.reshape(B, P * P)
        return patches

    return patchify


@mistake(
    Q,
    caught_by="pixels_and_whole_images_are_patches_too",
    cause="squeeze() drops the axis of a single patch, pixel or image.",
    hint="One patch is still a row of a table. Which step removes axes without being asked which?",
)
def squeezes_the_patches():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, -1, P * P).squeeze()

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="The batch is moved behind the patches.",
    hint="The batch comes first before and after. Where does yours go?",
)
def puts_patches_before_images():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.permute(1, 3, 0, 2, 4).reshape(-1, B, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="Patches of different images are mixed: the batch changes places, and a reshape brings only its size back.",
    hint="Cut two different images. Do the pixels of the second one stay out of the first one's patches?",
)
def mixes_the_batch():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.permute(1, 3, 0, 2, 4).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="Rows and columns of the grid stay two axes.",
    hint="The patches are a sequence of tokens. How many axes does the contract name?",
)
def keeps_the_grid():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, S // P, S // P, P * P)

    return patchify


@mistake(
    Q,
    caught_by="every_image_is_cut_on_its_own",
    cause="Brightness is centred, in the caller's images.",
    hint="Cutting changes no pixel, in the result as in the argument. Which of your steps writes?",
)
def centres_the_callers_images():
    def patchify(images, P):
        B, S, _ = images.shape
        images -= images.mean()
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="six_by_six_pixels_are_right_by_hand",
    cause="Pixels are divided by their largest value.",
    hint="Cutting changes no pixel. Compare the largest number before and after.",
)
def scales_the_pixels():
    def patchify(images, P):
        B, S, _ = images.shape
        grid = (images / images.max()).reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="a_second_call_starts_afresh",
    cause="The places of the pixels are kept between calls and found again by the size of the image alone.",
    hint="If you keep places, everything that they depend on has to be part of the question whether they fit.",
)
def keeps_places_by_the_size_of_the_image():
    places = {}

    def patchify(images, P):
        B, S, _ = images.shape
        if S not in places:
            numbers = torch.arange(S * S).reshape(S // P, P, S // P, P)
            places[S] = numbers.transpose(1, 2).reshape(-1, P * P)
        return images.reshape(B, S * S)[:, places[S]]

    return patchify


@mistake(
    Q,
    caught_by="pixels_and_whole_images_are_patches_too",
    cause="The image is taken to have 8 x 8 pixels.",
    hint="The size of an image is found in its shape. Where does a number of your own stand?",
)
def expects_eight_by_eight_pixels():
    def patchify(images, P):
        grid = images.reshape(-1, 8 // P, P, 8 // P, P)
        return grid.transpose(2, 3).reshape(len(images), -1, P * P)

    return patchify


@mistake(
    Q,
    caught_by="whole_numbers_stay_whole_numbers",
    cause="unfold is there for floats alone.",
    hint="The pixels of a photograph are integers. Which of your steps does PyTorch have for floats alone?",
)
def unfolds_floats_alone():
    def patchify(images, P):
        return F.unfold(images[:, None], P, stride=P).mT

    return patchify


@mistake(
    Q,
    caught_by="whole_numbers_stay_whole_numbers",
    cause="Pixels are turned into floats first.",
    hint="Cutting changes no number. Compare the dtype of the images with that of the patches.",
)
def turns_integers_into_floats():
    def patchify(images, P):
        B, S, _ = images.shape
        if not images.is_floating_point():
            images = images.float()
        grid = images.reshape(B, S // P, P, S // P, P)
        return grid.transpose(2, 3).reshape(B, -1, P * P)

    return patchify
