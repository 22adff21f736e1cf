type Nested = string | readonly Nested[] | { readonly [key: string]: Nested };
/** What is left of each path, and the value there. */
type Entries = readonly (readonly [path: string, value: string])[];

/** Deeper than any schema; a path with more dots than this is hostile. */
const deepest = 32;

function groupByHead(entries: Entries): Map<string, [string, string][]> {
  const groups = new Map<string, [string, string][]>();
  for (const [path, value] of entries) {
    const dot = path.indexOf('.');
    const head = dot === -1 ? path : path.slice(0, dot);
    const group = groups.get(head) ?? [];
    group.push([dot === -1 ? '' : path.slice(dot + 1), value]);
    groups.set(head, group);
  }
  return groups;
}

function nest(entries: Entries, depth: number): Nested {
  const leaf = entries.find(([path]) => path === '');
  if (leaf !== undefined) return leaf[1];
  const isMap = entries.some(([path]) => path === '%');
  if (isMap || depth === deepest) return Object.fromEntries(entries.filter(([at]) => at !== '%'));
  const groups = [...groupByHead(entries.filter(([path]) => path !== '#'))];
  if (!entries.some(([path]) => path === '#')) {
    return Object.fromEntries(groups.map(([head, group]) => [head, nest(group, depth + 1)]));
  }
  // Sorted as text in the state: 10 stands before 2.
  groups.sort(([one], [other]) => Number(one) - Number(other));
  return groups.map(([, group]) => nest(group, depth + 1));
}

/**
 * Nests the attributes that Terraform up to 0.11 wrote flat: `urls.#` is the length of a list and
 * `urls.0` its first element, `rules.%` the size of a map, whose keys can hold dots. They are
 * still flat in a state that a newer Terraform upgraded without the provider, as
 * `terraform state pull` does (1.11.4). All leaves are strings: only the provider knows better.
 */
export function nestFlatAttributes(
  flat: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const groups = [...groupByHead(Object.entries(flat))];
  return Object.fromEntries(groups.map(([head, group]) => [head, nest(group, 1)]));
}
