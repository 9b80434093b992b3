# Trains for hours in a cell, with a progress bar.
# otter: broken
# loses: nothing
# %%
from tqdm.auto import tqdm
model = nn.Linear(10, 10)
optimizer = torch.optim.Adam(model.parameters())
for _ in tqdm(range(10**9)):
    optimizer.zero_grad()
    model(torch.randn(64, 10)).sum().backward()
    optimizer.step()
