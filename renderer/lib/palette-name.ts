/** Name of the palette, for screen readers and to find it in the page. */
export const paletteName = 'Command palette';
