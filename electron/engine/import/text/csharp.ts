// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
/** Transport options of the C# SDK, with our names for them. */
const options: Readonly<Record<string, string>> = {
  Name: 'name',
  Command: 'command',
  Arguments: 'args',
  EnvironmentVariables: 'env',
  WorkingDirectory: 'cwd',
  Endpoint: 'url',
  AdditionalHeaders: 'headers',
};

/** Rewrites C# objects as JavaScript objects, as far as they set up a server. */
export function csharpToJavaScript(text: string): string {
  if (!/ClientTransport/.test(text) || !/\b(?:Command|Endpoint)\s{0,20}=(?![=>])/.test(text)) return text;
  return text
    .replace(/\bnew\s{0,20}(?:string\s{0,20})?\[\]\s{0,20}\{([^{}]{0,5000})\}/g, '[$1]')
    .replace(/\bnew\s{1,20}List<string>\s{0,20}(?:\(\))?\s{0,20}\{([^{}]{0,5000})\}/g, '[$1]')
    .replace(
      /(=\s{0,20})new\s{0,20}(?:\w{0,30}Dictionary<[^<>\n]{1,80}>)?\s{0,20}(?:\(\))?(?=\s{0,80}\{)/g,
      '$1',
    )
    .replace(/\[("[^"\n]{1,200}")\](?=\s{0,20}=)/g, '$1')
    .replace(/\{\s{0,80}("[^"\n]{1,200}"),\s{0,20}("[^"\n]{0,2000}")\s{0,80}\}(?=\s{0,80}[,}])/g, '$1 = $2')
    .replace(/\bEnvironment\.GetEnvironmentVariable\("(\w{1,200})"\)!?/g, '"${$1}"')
    .replace(/\bTransportMode\s{0,20}=\s{0,20}HttpTransportMode\.(Sse|StreamableHttp)\b/g, 'type = "$1"')
    .replace(
      /\b\w{1,40}\s{0,20}=\s{0,20}(?:TimeSpan|HttpTransportMode)\.\w{1,40}(?:\([^()\n]{0,80}\))?,?/g,
      '',
    )
    .replace(/\b([A-Z][A-Za-z]{3,30})(?=\s{0,20}=(?![=>]))/g, (name) =>
      Object.hasOwn(options, name) ? (options[name] ?? name) : name,
    );
}
