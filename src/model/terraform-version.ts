/** Which program it is, and which version. */
export interface TerraformVersion {
  readonly product: 'Terraform' | 'OpenTofu';
  readonly major: number;
  readonly minor: number;
  /** `1.11.4`. */
  readonly text: string;
}
