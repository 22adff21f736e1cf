import { type PackageKind } from './index-zone';
import { type Setting } from './verdict';

/** What is known of the thing that a setting is about; what is not known is left out. */
export function settingFacts(
  of: PackageKind | undefined,
  title: string | undefined,
): Pick<Setting, 'package' | 'title'> {
  return {
    ...(of === undefined ? {} : { package: of }),
    ...(title === undefined ? {} : { title }),
  };
}
