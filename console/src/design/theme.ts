/** Colours, sizes and defaults of the components, for dense and uniform screens. */
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#eef4fa',
  '#dbe6f2',
  '#b4cbe4',
  '#8aaed5',
  '#6795c9',
  '#4f84c0',
  '#3d76b6',
  '#2b629f',
  '#1f5389',
  '#164575',
]

/** The greys of the library, as cool as the grounds of `console.css`. */
const dark: MantineColorsTuple = [
  '#d3dae2',
  '#b9c3ce',
  '#87919d',
  '#6a7480',
  '#434b55',
  '#39414a',
  '#2a3038',
  '#20252c',
  '#1a1e24',
  '#121518',
]

const still = { duration: 0 }

/** In a low window, a long menu scrolls instead of leaving the window. */
const whole = { flip: true, shift: true, size: true }

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 7 },
  colors: { ink, dark },
  defaultRadius: 'sm',
  // The menu shows words from this width, at which the widest tables fit beside it.
  breakpoints: { lg: '80em' },
  fontFamily:
    '"Inter", "Segoe UI", system-ui, -apple-system, "Helvetica Neue", "Liberation Sans", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    // A long text scrolls within its field, so that the buttons of its dialog stay in sight.
    Textarea: { defaultProps: { size: 'xs', autosize: true, minRows: 2, maxRows: 10 } },
    NativeSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { withArrow: true, multiline: true, maw: 320, openDelay: 150 } },
    // A dialog that is closing would still take the keys that follow Escape.
    Modal: { defaultProps: { centered: true, size: 'lg', transitionProps: still } },
    Popover: { defaultProps: { transitionProps: still, middlewares: whole } },
    Menu: { defaultProps: { transitionProps: still, middlewares: whole } },
  },
})
