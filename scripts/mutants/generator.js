/**
 * What can be taken away from the generator, one thing at a time: in a file, the one place `take`
 * becomes `leave`. Each must turn a test of test/generate red.
 */
module.exports = [
  {
    name: 'ref',
    file: 'src/generate/build-resource.ts',
    take: '{ ref: ref ?? null, ...withoutRef }',
    leave: 'withoutRef',
  },
  {
    name: 'ref-that-equals-the-id',
    file: 'src/generate/normalise-ruleset.ts',
    take: 'rule.ref ?? rule.id)',
    leave: 'rule.ref)',
  },
  {
    name: 'enabled',
    file: 'src/generate/parse-ruleset.ts',
    take: '...(enabled === undefined ? {} : { enabled }),',
    leave: '',
  },
  {
    name: 'logging',
    file: 'src/generate/normalise-ruleset.ts',
    take: 'return { ...fields, logging };',
    leave: 'return fields;',
  },
  {
    name: 'logging-of-a-new-skip-rule',
    file: 'src/generate/normalise-ruleset.ts',
    take: '{ ...fields, logging: { enabled: true } }',
    leave: 'fields',
  },
  {
    name: 'escaping-in-tfjson',
    file: 'src/generate/formats/tfjson.ts',
    take: 'return escapeTemplate(value);',
    leave: 'return value;',
  },
  {
    name: 'escaping-in-hcl',
    file: 'src/generate/formats/quote.ts',
    take: '.replace(/[$%](?=\\{)/g, (sign) => sign + sign)',
    leave: '',
  },
  {
    name: 'escaping-in-cdktf',
    file: 'src/generate/formats/cdktf.ts',
    take: 'quoteTypeScript(escapeConstructTemplate(value))',
    leave: 'quoteTypeScript(value)',
  },
  {
    name: 'override-order',
    file: 'src/generate/dialects/conform.ts',
    take: 'value.map((item, index) => object(item, `${place.path}[${index}]`))',
    leave: 'value.toReversed().map((item) => object(item, place.path))',
  },
  {
    name: 'name',
    file: 'src/generate/build-resource.ts',
    take: 'name: ruleset.name,',
    leave: "name: 'default',",
  },
  {
    name: 'status-of-provider-3',
    file: 'src/generate/dialects/v3.ts',
    take: "name: 'status', value: value ? 'enabled' : 'disabled'",
    leave: 'name, value',
  },
  {
    name: 'no-rules-is-a-blocker',
    file: 'src/generate/parse-ruleset.ts',
    take: 'if (!rules?.length) {',
    leave: 'if (!rules) {',
  },
  {
    name: 'phase',
    file: 'src/generate/parse-ruleset.ts',
    take: "requireValue('phase', phase, MANAGED_PHASE);",
    leave: '',
  },
  {
    name: 'lost-field',
    file: 'src/generate/dialects/conform.ts',
    take: 'if (conformed === undefined) findings.push(fieldLost(path, dialect));\n    else',
    leave: 'if (conformed !== undefined)',
  },
];
