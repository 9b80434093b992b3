from otter.test_files import test_case

OK_FORMAT = False

name = "q13_vit_accuracy"
points = None


@test_case(name="a_brief_training_beats_chance", points=2, hidden=False)
def a_brief_training_beats_chance(TinyViT):
    """A brief training lowers the loss, and the model then recognises digits better than chance.

    Look at whether every part of q12's model is trained, and at what the head reads; chance is 1 in 10.
    """
    import kit
    from given.digits import load_digits

    train, held_out = load_digits()
    recipe = {key: kit.settings.vit[key] for key in ("batch", "learning_rate")}
    model = kit.build(TinyViT)
    losses = kit.run_beside("given.digits:fit", model, train.images, train.labels, epochs=3, seed=1, **recipe)
    first, last = losses[0], sum(losses[-10:]) / 10
    kit.expect_that(last < first - 0.2, f"In {len(losses)} steps the loss went from {first:.3f} to {last:.3f}.")
    kit.call(model.eval)
    logits = kit.call(model, held_out.images)
    kit.expect_tensor(logits, held_out.images.new_empty(len(held_out.images), 10), "logits")
    right = float((logits.argmax(1) == held_out.labels).double().mean())
    kit.expect_that(right > 0.2, f"Only {right:.0%} of the digits it had not seen were right; chance is 10%.")
