/** Prompts that a shell, a history or an instruction puts before a command. */
const prompts = [
  /^[➜❯]\s+[^\s]{1,60}\s+git:\([^)\n]{0,60}\)\s*(?:[✗✘±]\s*)?/,
  /^[~/.][\w/.~-]{0,100}\s+[❯➜%$>]\s+/,
  /^[➜❯]\s+[~/][\w/.~-]{0,60}\s+/,
  /^[│┃◇◆●]\s+/,
  /^[└╰]─{0,3}[$#%>❯➜]{0,2}\s+/,
  /^PS(?: [A-Za-z]:[^>\n]{0,200}| [/~][^>\n]{0,200})?>\s*/,
  /^[A-Za-z]:\\[^>\n]{0,200}>\s*/,
  /^(?:\([\w.-]{1,40}\)\s*)?[\w.-]{1,40}@[\w.-]{1,60}[: ][^$#%>\n]{0,100}[$#%>]\s+/,
  /^(?:\([\w.-]{1,40}\)\s*)?\[[\w.-]{1,40}@[^\]\n]{1,120}\][$#%>]\s+/,
  // The macOS form: computer, folder and user.
  /^(?:\([\w.-]{1,40}\)\s*)?[\w.-]{1,60}:[^\s$#%]{1,100}\s+[\w.-]{1,40}[$#%]\s+/,
  /^-?[a-z]{0,6}sh(?:-[\d.]{1,10})?[$#%>]\s+/,
  /^(?:\([\w.-]{1,40}\)\s*)?[$%>❯➜»]\s+(?:~?[\w/.-]{0,60}\s+[$%❯]\s+)?/,
  /^(?:\d{1,2}[.)]|[-*•])\s+/,
  // A line of a history: its number, and possibly its time.
  /^\d{1,6}\*?\s+(?:\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?\]?\s+)?(?=[A-Za-z_.~/$])/,
  /^(?:Run|Type|Execute|Command|Terminal|Shell|bash|sh|zsh):\s+/i,
  /^[A-Za-z][\w ]{0,30}:\s+(?=(?:npx|bunx|uvx|uv|docker|node|python3?|claude|codex|gemini)\s)/,
];

/** Removes the prompt of a line, and brackets or backticks around the whole command. */
export function withoutPrompt(line: string): string {
  const trimmed = line.trim();
  const prompt = prompts.map((one) => one.exec(trimmed)?.[0]).find((found) => found !== undefined);
  const open = trimmed.slice(prompt?.length ?? 0);
  const isGroup = /^\((?=\w)[^()]*\)$/.test(open);
  return (isGroup ? open.slice(1, -1) : open)
    .replace(/^!(?=[a-z])/, '')
    .replace(/^`([^`]*)`$/, '$1')
    .trim();
}
