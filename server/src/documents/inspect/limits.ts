// The limits of inspection. Files are at most 10 MiB when they come here; these bound what such a file may ask of a
// reader.

/** Per page: A0 at 300 dots an inch is 139 million, A3 at 600 is 70 million. */
export const PIXELS_MAX = 100_000_000
export const PAGES_MAX = 2_000
/** Bytes after the end of an image that are tolerated when they are NUL, space or line end: padding of old tools. */
export const PADDING_BYTES_MAX = 4_096
/** Entries of all TIFF directories, and strips or tiles of all its pages, together. */
export const TIFF_ENTRIES_MAX = 200_000
export const TIFF_STRIPS_MAX = 1_000_000
/** Further images in one JPEG (multi-picture format: previews, depth and gain maps). */
export const JPEG_IMAGES_MAX = 16
export const PDF_OBJECTS_MAX = 300_000
export const PDF_DEPTH_MAX = 96
/** Values inside one object. */
export const PDF_VALUES_MAX = 1_000_000
/** What compressed object streams of one PDF may expand to, together. */
export const PDF_EXPANDED_BYTES_MAX = 32 * 1024 * 1024
