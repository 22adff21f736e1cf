import { type Finding } from '../core/finding';
import { type Markup, markup } from './document';

const words = { blocker: 'Blocks', decision: 'Decide', info: 'Know' } as const;

/** What a person has to decide, in the open; what is good to know, folded. */
export function findingLists(findings: readonly Finding[]): Markup {
  const open = [
    ...findings.filter(({ severity }) => severity === 'blocker'),
    ...findings.filter(({ severity }) => severity === 'decision'),
  ];
  const rest = findings.filter(({ severity }) => severity === 'info');
  return markup`${
    open.length === 0
      ? []
      : [
          markup`<h3>To decide (${open.length})</h3>
${list(open)}`,
        ]
  }${
    rest.length === 0
      ? []
      : [
          markup`<details><summary>Good to know (${rest.length})</summary>
${list(rest)}</details>`,
        ]
  }`;
}

function list(findings: readonly Finding[]): Markup {
  return markup`<ul class="findings">
${findings.map(item)}</ul>
`;
}

function item({ severity, code, subject, message, remedy }: Finding): Markup {
  return markup`<li><b>${words[severity]}:</b> ${message}<span class="todo"><b>To do:</b> ${remedy}</span><span class="where"><code>${code}</code> at <code>${subject}</code></span></li>
`;
}
