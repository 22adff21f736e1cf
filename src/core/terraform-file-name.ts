/**
 * A name for a new file of a Terraform configuration. One that ends with `override` gets another end:
 * Terraform merges such a file into blocks that stand elsewhere, and refuses what stands nowhere else.
 *
 * @example terraformFileName('waf_override', '.tf') // 'waf_override_ruleset.tf'
 */
export function terraformFileName(name: string, ending: '.tf' | '.tf.json'): string {
  return `${/(^|_)override$/.test(name) ? `${name}_ruleset` : name}${ending}`;
}
