/**
 * `npm run icons`: renders every icon from build/icon.svg into build/icons/ (committed).
 *
 * - icon.ico, icon.icns, linux/SIZExSIZE.png: the app's icon for installers and desktops
 * - icon.png: 256 px, the window's icon
 * - trayTemplate.png (+ @2x): macOS draws it in the menu bar's own colour; the menu shows the state
 * - tray-STATE.png (16 px, + @1.5x, @2x): Windows picks by its scale
 * - tray-STATE-linux.png: 32 px, the panel scales it down
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import png2icons from 'png2icons';
import { root } from './root.mjs';

const folder = path.join(root, 'build', 'icons');

/** The shape in the jack and the plate's colour both show the state, so that it needs no colour vision. */
const states = {
  ok: { plate: '#1c7ed6', mark: '<circle cx="516" cy="424" r="78" fill="#ffd43b"/>' },
  attention: { plate: '#d9480f', mark: stroke('M 516 340 V 416 M 516 500 V 504', 72) },
  error: { plate: '#c92a2a', mark: stroke('M 466 374 L 566 474 M 566 374 L 466 474', 64) },
  off: { plate: '#868e96', mark: '' },
};

const app = await readFile(path.join(root, 'build', 'icon.svg'), 'utf8');
await rm(folder, { recursive: true, force: true });
await mkdir(path.join(folder, 'linux'), { recursive: true });
await Promise.all([appIcons(), trayIcons(), templateIcons()]);

async function appIcons() {
  const large = png(app, 1024);
  const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
  await Promise.all([
    ...sizes.map((size) => save(`linux/${size}x${size}.png`, png(app, size))),
    save('icon.png', png(app, 256)),
    save('icon.ico', png2icons.createICO(large, png2icons.BICUBIC2, 0, true, true)),
    save('icon.icns', png2icons.createICNS(large, png2icons.BICUBIC2, 0)),
  ]);
}

async function trayIcons() {
  const files = Object.entries(states).flatMap(([state, look]) => {
    const svg = trayIcon(look);
    return [
      save(`tray-${state}.png`, png(svg, 16)),
      save(`tray-${state}@1.5x.png`, png(svg, 24)),
      save(`tray-${state}@2x.png`, png(svg, 32)),
      save(`tray-${state}-linux.png`, png(svg, 32)),
    ];
  });
  await Promise.all(files);
}

async function templateIcons() {
  const svg = tray(`${cable('#000')}<circle cx="516" cy="424" r="72"/>`);
  await Promise.all([save('trayTemplate.png', png(svg, 16)), save('trayTemplate@2x.png', png(svg, 32))]);
}

function trayIcon({ plate, mark }) {
  return tray(
    `<rect x="64" y="64" width="896" height="896" rx="204" fill="${plate}"/>${cable('#fff')}${mark}`,
  );
}

/** Crops the margin that desktops want around an app's icon. */
function tray(content) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="64 64 896 896">${content}</svg>`;
}

function cable(color) {
  const [, line] = /id="cable" d="([^"]+)"/.exec(app);
  return `<path d="${line}" fill="none" stroke="${color}" stroke-width="108" stroke-linecap="round"/>`;
}

function stroke(line, width) {
  return `<path d="${line}" fill="none" stroke="#fff" stroke-width="${width}" stroke-linecap="round"/>`;
}

function png(svg, width) {
  return new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
}

function save(name, data) {
  return writeFile(path.join(folder, name), data);
}
