import { type Finding } from '../../model/finding';
import { type ProviderMajor } from '../../model/provider-majors';

/** What a provider major refuses, though the service may have answered it. */
export function refused(subject: string, shape: string, major: ProviderMajor): Finding {
  return {
    code: 'PROVIDER_REFUSES',
    severity: 'decision',
    subject,
    message: `the service answers ${shape}, which provider ${major} refuses`,
    remedy: 'change the setting in the service, then generate again',
  };
}
