// Property tests use random seeds, unless FC_SEED is set: CI runs are then repeatable.
const { FC_SEED } = process.env;
if (FC_SEED !== undefined) require('fast-check').configureGlobal({ seed: Number(FC_SEED) });
