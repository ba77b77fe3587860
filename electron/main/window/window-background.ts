/** Background of the window until its page paints; equal to `--bg` in renderer/style/tokens.css. */
export function windowBackground(dark: boolean): string {
  return dark ? '#17181b' : '#ffffff';
}
