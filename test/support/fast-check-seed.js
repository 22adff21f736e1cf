// The laws draw anew each time, unless FC_SEED says what: a run of CI is a run of one commit.
const { FC_SEED } = process.env;
if (FC_SEED !== undefined) require('fast-check').configureGlobal({ seed: Number(FC_SEED) });
