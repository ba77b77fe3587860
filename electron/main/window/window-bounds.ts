import { z } from 'zod';
import { notifiedVersionsSchema } from '../notify/told-book.ts';
import { restartSchema } from '../update/restart-memory.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** State of the window that is saved between starts. */
export const windowStateSchema = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }).optional(),
  maximized: z.boolean().default(false),
  /** True once the user has been told that closing leaves the app in the tray. */
  toldAboutTray: z.boolean().default(false),
  /** Attention items that the user has been notified of. */
  told: notifiedVersionsSchema.default({}),
  /** Set if the app quit to be updated. */
  restart: restartSchema.nullable().default(null),
});
export type WindowState = Readonly<z.infer<typeof windowStateSchema>>;

export const minimumSize = { width: 720, height: 480 } as const;
const defaultSize = { width: 1180, height: 760 } as const;

/** Size, and the position if there is one; otherwise the system centres the window. */
export type Placement = Rectangle | Pick<Rectangle, 'width' | 'height'>;

/**
 * Returns where to open the window: as saved if that is reachable on the current displays (work areas,
 * primary first), else centred in a size that fits.
 */
export function placeWindow(saved: Rectangle | undefined, workAreas: readonly Rectangle[]): Placement {
  const home = workAreas.find((area) => saved !== undefined && showsTitleBar(area, saved));
  if (saved !== undefined && home !== undefined) return fitInto(saved, home);
  const size = saved ?? defaultSize;
  const primary = workAreas[0];
  return primary === undefined ? defaultSize : { ...limitSize(size, primary) };
}

/** The title bar must be within reach, or the window could not be moved back. */
function showsTitleBar(area: Rectangle, window: Rectangle): boolean {
  const grip = 80;
  const overlap = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return overlap >= grip && window.y >= area.y && window.y <= area.y + area.height - grip / 2;
}

function fitInto(window: Rectangle, area: Rectangle): Rectangle {
  return { x: window.x, y: window.y, ...limitSize(window, area) };
}

/** A display smaller than the minimum gets a window of its own size. */
function limitSize(size: Pick<Rectangle, 'width' | 'height'>, area: Rectangle) {
  return {
    width: Math.min(Math.max(size.width, minimumSize.width), area.width),
    height: Math.min(Math.max(size.height, minimumSize.height), area.height),
  };
}
