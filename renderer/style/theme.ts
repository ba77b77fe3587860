import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  MultiSelect,
  Select,
  Switch,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';

const iris: MantineColorsTuple = [
  '#eeeffc',
  '#dcdef8',
  '#b9bdf0',
  '#979ee9',
  '#7b83e2',
  '#5c65d3',
  '#4f58c9',
  '#434bb0',
  '#393f92',
  '#2f3575',
];

/** Neutral greys with a hint of blue; the darkest ones are the surfaces of the dark scheme. */
const dark: MantineColorsTuple = [
  '#e6e6ea',
  '#c4c5cc',
  '#9d9ea8',
  '#72747f',
  '#4a4b55',
  '#34353d',
  '#26272d',
  '#1b1c20',
  '#141518',
  '#0f1012',
];

/**
 * Scrolling lists of choices use arrow keys: Tab goes to the next field, not into the list, which then
 * closes.
 */
const unreached = { viewportProps: { tabIndex: -1 } } as const;

/** Theme of Mantine's components; colours of surfaces and text are variables in `tokens.css`. */
export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 5 },
  colors: { iris, dark },
  autoContrast: false,
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: { xs: '11.5px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: { fontFamily: 'var(--font-text)', fontWeight: '600' },
  components: {
    // The page itself never scrolls, and the scroll lock would add a style element without our nonce.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        radius: 12,
        padding: 0,
        centered: true,
        transitionProps: { duration: 120 },
      },
    }),
    Button: Button.extend({ defaultProps: { size: 'xs', fw: 500 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 28 } }),
    TextInput: TextInput.extend({ defaultProps: { size: 'xs' } }),
    Textarea: Textarea.extend({ defaultProps: { size: 'xs' } }),
    Switch: Switch.extend({ defaultProps: { size: 'sm', withThumbIndicator: false } }),
    Select: Select.extend({ defaultProps: { scrollAreaProps: unreached } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { scrollAreaProps: unreached } }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    Loader: Loader.extend({ defaultProps: { size: 14, type: 'oval' } }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'md',
        position: 'bottom-end',
        radius: 8,
        withinPortal: true,
        // A menu may only contain items: the focus goes to the first item instead of a placeholder.
        withInitialFocusPlaceholder: false,
      },
    }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 350, fz: 'xs', radius: 6, withinPortal: true } }),
  },
});
