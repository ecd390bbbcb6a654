-- The role of firms needs nothing of the firms that move between cells, and would see those of others.
revoke select on clearing.moving_firm from clearing_app;
