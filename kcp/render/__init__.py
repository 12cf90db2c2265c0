"""The trusted render pipeline: a manifest may inform an agent, never steer it (render contract)."""
