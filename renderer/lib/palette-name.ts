/** Of the palette, to screen readers and to find it by in the page. */
export const paletteName = 'Command palette';
