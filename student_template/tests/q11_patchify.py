from otter.test_files import test_case

OK_FORMAT = False

name = "q11_patchify"
points = None


@test_case(name="six_by_six_pixels_are_right_by_hand", points=1.5, hidden=False)
def six_by_six_pixels_are_right_by_hand(patchify):
    """The pixels 0 to 35 of a 6 x 6 image, cut with P = 2 and with P = 3, land where they belong.

    Look at which axes count patches and which count pixels within a patch, and in which order they must stand.
    """
    import torch

    import kit

    image = torch.arange(36.0).reshape(1, 6, 6)
    nine = [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [12, 13, 18, 19], [14, 15, 20, 21], [16, 17, 22, 23]]
    nine += [[24, 25, 30, 31], [26, 27, 32, 33], [28, 29, 34, 35]]
    four = [[0, 1, 2, 6, 7, 8, 12, 13, 14], [3, 4, 5, 9, 10, 11, 15, 16, 17]]
    four += [[18, 19, 20, 24, 25, 26, 30, 31, 32], [21, 22, 23, 27, 28, 29, 33, 34, 35]]
    for P, rows in ((2, nine), (3, four)):
        right = kit.order_patches(torch.tensor([rows], dtype=torch.float32))
        kit.expect(kit.call(patchify, image, P), right, f"patches with P = {P}", tolerance="exact")


@test_case(name="every_image_is_cut_on_its_own", points=0.5, hidden=False)
def every_image_is_cut_on_its_own(patchify):
    """The patches of an image are the same alone as in a batch, and hold each of its pixels once.

    Look at the axis of the batch: it comes first before and after, and nothing may move across it.
    """
    import torch

    import kit

    @kit.for_all(kit.images())
    def check(images, P):
        B, S, _ = images.shape
        patches = kit.call(patchify, images, P)
        kit.expect_tensor(patches, torch.empty(B, (S // P) ** 2, P * P), "patches", dtype=images.dtype)
        pixels = images.reshape(B, -1).sort().values
        kit.expect(patches.reshape(B, -1).sort().values, pixels, "the sorted pixels of each image", tolerance="exact")
        for b in range(B):
            alone = kit.call(patchify, images[b : b + 1], P)
            kit.expect(alone, patches[b : b + 1], f"patches of image {b} alone", tolerance="exact")


@test_case(name="pixels_and_whole_images_are_patches_too", points=0.5, hidden=False)
def pixels_and_whole_images_are_patches_too(patchify):
    """P = 1 gives every pixel as a patch of its own, P = S one patch that is the whole image, each in its order.

    Look for a size that was fixed or guessed, and for an axis of size 1 that was dropped.
    """
    import torch

    import kit

    @kit.for_each({"B": 3, "S": 5}, {"B": 1, "S": 6}, {"B": 2, "S": 1})
    def check(B, S):
        images = torch.arange(1.0, 1 + B * S * S).reshape(B, S, S)
        pixels, whole = images.reshape(B, S * S, 1), images.reshape(B, 1, S * S)  # row by row
        pixels, whole = kit.order_patches(pixels), kit.order_patches(whole)
        kit.expect(kit.call(patchify, images, 1), pixels, "patches with P = 1", tolerance="exact")
        kit.expect(kit.call(patchify, images, S), whole, "patches with P = S", tolerance="exact")


@test_case(name="whole_numbers_stay_whole_numbers", points=0.5, hidden=False)
def whole_numbers_stay_whole_numbers(patchify):
    """Pixels may be integers, such as the bytes of a photograph: the patches hold the same integers in the same dtype.

    Look for a step that computes with pixels, or that PyTorch has for floats alone: cutting only moves them.
    """
    import torch

    import kit

    image = torch.arange(16).reshape(1, 4, 4)
    rows = torch.tensor([[[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]])

    @kit.for_each(*({"images": image.to(dtype)} for dtype in (torch.int64, torch.uint8)))
    def check(images):
        right = kit.order_patches(rows).to(images.dtype)
        kit.expect(kit.call(patchify, images, 2), right, "patches with P = 2", tolerance="exact")


@test_case(name="views_of_larger_tensors_are_cut_alike", points=0.5, hidden=False)
def views_of_larger_tensors_are_cut_alike(patchify):
    """Images may be strided views: transposed, expanded or cut out of larger ones, they give the patches of a copy.

    Look for a step that trusts the order in memory rather than the order of the axes.
    """
    import torch

    import kit

    wide = torch.arange(2.0 * 7 * 12).reshape(2, 7, 12).double()
    views = {
        "cut out": wide[:, 1:, 3:9],
        "every second pixel": wide[:, 1:, ::2],
        "transposed": wide[:, 1:, 2:8].transpose(1, 2),
        "batch last in memory": wide[:, 1:, 2:8].permute(1, 2, 0).contiguous().permute(2, 0, 1),
        "expanded": wide[:1, 1:, 2:8].expand(4, 6, 6),
    }

    @kit.for_each(*({"view": title, "images": images} for title, images in views.items()))
    def check(view, images):
        right = kit.call(patchify, images.contiguous(), 2)
        kit.expect_tensor(right, images.new_empty(len(images), 9, 4), "patches of a copy")
        kit.expect(kit.call(patchify, images, 2), right, "patches", tolerance="exact")
