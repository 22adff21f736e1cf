// Lists forbidden words in user-facing texts: README.md, docs/ and the messages of the source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { listMessages } from './messages';

const root = join(__dirname, '..');

/** Forbidden words, each with its replacement. */
const forbidden: readonly (readonly [wrong: RegExp, right: string])[] = [
  [/\b(?:no|some|any)body\b|\bwhoever\b|\ba person\b|\bpeople\b/i, 'name the actor, or "you"'],
  [/\b(?:yours|theirs)\b/i, 'name the thing'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:take|takes|took|taken|taking) (?:\S+ ){0,3}out\b/i, 'remove'],
  [/\b(?:take|takes|took|taken|taking) (?:\S+ ){0,3}in(?=[,.;:]|$)/i, 'import'],
  [/\blet(?:s|ting)? (?:\S+ ){0,2}go\b/i, 'remove from state'],
  [/\bcarr(?:y|ies|ied|ying) (?:\S+ ){0,3}out\b/i, 'apply, run'],
  [/\bg(?:o|oes|oing) on\b/i, 'resume, continue'],
  [/\bhold(?:s|ing)? (?:\S+ ){0,3}against\b|\bheld against\b/i, 'compare'],
  [/\b(?:is|are|was|were|be) to be\b/i, 'active voice'],
  [/\bas (?:it|they) (?:was|were)\b/i, 'unchanged, same as before'],
  [
    /\b(?:old|previous|older) (?:WAF|rules?|settings?|entr(?:y|ies)|packages?|interfaces?|resources?|blocks?|API)\b/i,
    'legacy',
  ],
  [/\b(?:has|have|had|is|not|already|may|zones?) moved\b|\bmay move\b/i, 'migrated'],
  [/\bthe service\b/i, 'the Cloudflare API, Cloudflare, or the emulator'],
  [/\b(?:stands?|stood)\b(?! alone)/i, 'is'],
  [/\btold\b|\btells? apart\b/i, 'is given, is known, distinguish'],
  [/(?<!stand)\balone\b/i, 'only'],
  [/\b(?:nothing|no one) (?:is|was) won\b|\bway back\b|\bupon\b|\btakes no part\b/i, 'plain words'],
  [/\b(?:that|which|what) (?:is|are|was|were) there\b/i, 'existing'],
];

/** A forbidden word, with its place. */
export interface Offence {
  readonly place: string;
  readonly wrong: string;
  readonly right: string;
  readonly text: string;
}

export function findOffences(): Offence[] {
  const pages = globSync(['README.md', 'docs/**/*.md'], {
    cwd: root,
    ignore: ['docs/messages.md', 'docs/api/**'],
  });
  const lines = pages.toSorted().flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((text, at) => ({ place: `${path}:${at + 1}`, text })),
  );
  return [...lines, ...listMessages()].flatMap(({ place, text }) =>
    forbidden.flatMap(([pattern, right]) => {
      const [wrong] = pattern.exec(text) ?? [];
      return wrong === undefined ? [] : [{ place, wrong, right, text }];
    }),
  );
}

if (require.main === module) {
  for (const { place, wrong, right, text } of findOffences()) {
    console.log(`${place}: "${wrong}" (${right}): ${text}`);
  }
}
