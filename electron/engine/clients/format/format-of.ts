import type { ConfigFormat, Language } from './contract.ts';
import { json } from './json.ts';

/** The format of a language. What reads TOML and YAML is loaded when the first such file is. */
export async function formatOf(language: Language): Promise<ConfigFormat> {
  switch (language) {
    case 'json':
      return json;
    case 'toml':
      return (await import('./toml.ts')).toml;
    case 'yaml':
      return (await import('./yaml.ts')).yaml;
  }
}
