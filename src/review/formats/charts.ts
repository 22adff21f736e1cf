import { type Markup, markup, NOTHING } from '../../translate/formats/html/markup';
import { type Hour } from '../comparison';
import { grouped } from './words';

/** One bar: its label, its length, and what stands at its end. */
export interface Bar {
  readonly label: string;
  readonly count: number;
  readonly note: string;
}

const WIDTH = 720;
const ROW = 26;
const BAR = 240;
const LEFT = 340;

/** Horizontal bars as inline SVG, with their numbers in words for those who see no picture. */
export function barChart(bars: readonly Bar[]): Markup {
  if (bars.length === 0) return NOTHING;
  const most = Math.max(...bars.map(({ count }) => count));
  const rows = bars.map(({ label, count, note }, index) => {
    const y = index * ROW;
    const length = Math.max(1, Math.round((count / most) * BAR));
    return markup`<g><text x="${LEFT - 8}" y="${y + 17}" text-anchor="end" font-size="13" fill="currentColor">${shortened(label)}</text><rect x="${LEFT}" y="${y + 5}" width="${length}" height="16" rx="2" fill="currentColor" opacity="0.45"><title>${label}: ${note}</title></rect><text x="${LEFT + length + 6}" y="${y + 17}" font-size="13" fill="currentColor">${note}</text></g>`;
  });
  return markup`<svg role="img" aria-label="${bars.map(({ label, note }) => `${label}: ${note}`).join('; ')}" viewBox="0 0 ${WIDTH} ${bars.length * ROW}" width="${WIDTH}">${rows}</svg>
`;
}

/** Requests by hour, as columns. */
export function timelineChart(timeline: readonly Hour[]): Markup {
  const hours = timeline.filter(({ hour }) => hour !== '');
  if (hours.length < 2) return NOTHING;
  const totals = hours.map(({ outcomes }) =>
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(...totals);
  const step = WIDTH / hours.length;
  const columns = hours.map(({ hour }, index) => {
    const total = totals[index] ?? 0;
    const height = Math.max(1, Math.round((total / most) * 100));
    return markup`<rect x="${(index * step).toFixed(2)}" y="${110 - height}" width="${Math.max(step - 1, 0.5).toFixed(2)}" height="${height}" fill="currentColor" opacity="0.45"><title>${hour}: ${grouped(total)}</title></rect>`;
  });
  const first = hours[0]?.hour ?? '';
  const last = hours.at(-1)?.hour ?? '';
  return markup`<section><h2>Time line</h2>
<p>Requests in which the two differ or cannot be compared, by hour (UTC).</p>
<svg role="img" aria-label="${grouped(totals.reduce((sum, one) => sum + one, 0))} requests from ${first} to ${last}" viewBox="0 0 ${WIDTH} 130" width="${WIDTH}">${columns}<text x="0" y="126" font-size="12" fill="currentColor">${first}</text><text x="${WIDTH}" y="126" font-size="12" text-anchor="end" fill="currentColor">${last}</text></svg>
</section>
`;
}

const shortened = (label: string): string =>
  label.length > 46 ? `${label.slice(0, 22)}…${label.slice(-22)}` : label;
