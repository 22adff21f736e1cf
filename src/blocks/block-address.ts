/** How a block is called inside its module; the type alone where there is no label. */
export function blockAddress(type: string, labels: readonly string[]): string {
  return type === 'resource' ? labels.join('.') : [type, ...labels].join('.');
}
