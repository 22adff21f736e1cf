import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderPlanJsonSchema } from '../../src/plan/plan';
import { everyStep } from './support/every-step';

/** The contract that is published. */
const published = readFileSync(join(__dirname, '../../docs/plan.schema.json'), 'utf8');

it('docs/plan.schema.json is what scripts/write-plan-schema.mjs writes', () => {
  const rendered = renderPlanJsonSchema();
  expect(JSON.parse(published)).toEqual(JSON.parse(rendered));
  expect(rendered).toMatch(/^\{\n {2}"title": "Migration plan[^]*\n\}\n$/);
});

it('the schema names every field of a plan', () => {
  const { properties } = JSON.parse(published);
  expect(Object.keys(properties).sort()).toEqual(Object.keys(everyStep).sort());
});
