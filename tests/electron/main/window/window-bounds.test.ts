import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  placeWindow,
  type Rectangle,
  windowStateSchema,
} from '../../../../electron/main/window/window-bounds.ts';

const primary: Rectangle = { x: 0, y: 25, width: 1440, height: 875 };
const second: Rectangle = { x: 1440, y: 0, width: 1920, height: 1080 };
const saved: Rectangle = { x: 1600, y: 100, width: 1000, height: 700 };

describe('where the window opens', () => {
  it.each<[string, Rectangle | undefined, readonly Rectangle[], object]>([
    ['the first time: centred', undefined, [primary], { width: 1180, height: 760 }],
    ['where it was', saved, [primary, second], saved],
    ['centred when its display is gone', saved, [primary], { width: 1000, height: 700 }],
    [
      'smaller than a display that has shrunk',
      { ...saved, x: 10, y: 30, width: 3000, height: 2000 },
      [primary],
      { x: 10, y: 30, width: 1440, height: 875 },
    ],
    [
      'not above the display, where no hand reaches',
      { ...saved, x: 10, y: -40 },
      [primary],
      { width: 1000, height: 700 },
    ],
    [
      'not with only a sliver in sight',
      { ...saved, x: 1430, y: 100 },
      [primary],
      { width: 1000, height: 700 },
    ],
    [
      'never tiny',
      { x: 10, y: 30, width: 100, height: 3 },
      [primary],
      { x: 10, y: 30, width: 720, height: 480 },
    ],
    ['at all without a display', saved, [], { width: 1180, height: 760 }],
  ])('[PB-APP-1] %s', (_case, before, areas, expected) => {
    expect(placeWindow(before, areas)).toEqual(expected);
  });

  it('[PB-APP-1] always within reach and never larger than the display', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 });
    const size = fc.integer({ min: 0, max: 10_000 });
    const bounds = fc.record({ x: number, y: number, width: size, height: size });
    fc.assert(
      fc.property(bounds, (before) => {
        const placed = placeWindow(before, [primary, second]);
        expect(placed.width).toBeLessThanOrEqual(1920);
        expect(placed.height).toBeLessThanOrEqual(1080);
        if ('x' in placed) expect(placed.y).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('the saved state of the window', () => {
  it('[PB-APP-1] has a default for everything', () => {
    expect(windowStateSchema.parse({})).toEqual({
      maximized: false,
      toldAboutTray: false,
      told: {},
      restart: null,
    });
  });
});
