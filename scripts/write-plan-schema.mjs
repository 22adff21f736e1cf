// Writes docs/plan.schema.json from src/plan/plan-schema.ts, as it was built.
// usage: npm run build && node scripts/write-plan-schema.mjs
import { writeFileSync } from 'node:fs';
import { renderPlanJsonSchema } from '../dist/plan/plan-schema.js';

writeFileSync(new URL('../docs/plan.schema.json', import.meta.url), renderPlanJsonSchema());
