import type { MenuItemConstructorOptions } from 'electron';
import type { TrayAction, TrayItem } from './tray-types.ts';

/** Converts the model's items to Electron's menu template. */
export function menuTemplate(
  items: readonly TrayItem[],
  act: (action: TrayAction) => void,
): MenuItemConstructorOptions[] {
  return items.map((item) => menuItem(item, act));
}

function menuItem(item: TrayItem, act: (action: TrayAction) => void): MenuItemConstructorOptions {
  switch (item.kind) {
    case 'separator':
      return { id: item.id, type: 'separator' };
    case 'text':
      return { id: item.id, label: literal(item.label), enabled: false };
    case 'action':
      return {
        id: item.id,
        label: literal(item.label),
        enabled: item.enabled,
        click: () => act(item.action),
      };
    case 'switch':
      return {
        id: item.id,
        label: literal(item.label),
        type: 'checkbox',
        checked: item.on,
        click: () => act(item.action),
      };
    case 'submenu':
      return { id: item.id, label: literal(item.label), submenu: menuTemplate(item.items, act) };
  }
}

/** Escapes `&`, which would mark the next letter as the item's access key. */
function literal(label: string): string {
  return label.replaceAll('&', '&&');
}
