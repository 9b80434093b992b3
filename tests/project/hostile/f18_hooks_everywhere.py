# Registers global module hooks, loggers, and replaces the streams.
# loses: nothing
# %%
import io, logging, sys
logging.basicConfig(level=0)
logging.raiseExceptions = True
nn.modules.module.register_module_forward_hook(lambda module, args, output: None)
sys.stdout.close()
sys.stdout = sys.stderr = io.StringIO()
sys.stdin = None
# %%
sys.stdout = None
print("nowhere")
