// The limits of the inspection. Files have at most 10 MiB when they come here; these limits bound the work that such a
// file may cause in a reader.

/** Per page: A0 at 300 dots an inch is 139 million, A3 at 600 is 70 million. */
export const PIXELS_MAX = 100_000_000
/** Over all pages or images of a file: 200 pages of A4 at 300 dots an inch are 1.7 billion. */
export const PIXELS_TOTAL_MAX = 2_000_000_000
export const PAGES_MAX = 2_000
/** Data of an image beyond the data of its pixels. */
export const IMAGE_SPARE_BYTES_MAX = 65_536
/** Entries of all TIFF directories, and strips or tiles of all pages, together. */
export const TIFF_ENTRIES_MAX = 200_000
export const TIFF_STRIPS_MAX = 1_000_000
/** How often the data of a TIFF may be used on average by pages that share it. */
export const TIFF_USES_MAX = 4
/** Passes over a JPEG, over all its images: writers make about ten. */
export const JPEG_SCANS_MAX = 200
/** The expanded size of all compressed texts and profiles of one PNG. */
export const PNG_TEXT_BYTES_MAX = 8 * 1024 * 1024
/** Further images in one JPEG (multi-picture format: previews, depth and gain maps). */
export const JPEG_IMAGES_MAX = 16
/** The notes of a Samsung camera after a JPEG: some hundred bytes without pictures and recordings. */
export const SAMSUNG_TRAILER_BYTES_MAX = 65_536
export const PDF_OBJECTS_MAX = 300_000
export const PDF_DEPTH_MAX = 96
/** Values inside one object. */
export const PDF_VALUES_MAX = 1_000_000
/** The expanded size of all compressed object streams of one PDF. */
export const PDF_EXPANDED_BYTES_MAX = 32 * 1024 * 1024
/** The expanded size of all pages, fonts and further streams of one PDF; the same limit applies to its images. */
export const PDF_PLAIN_BYTES_MAX = 256 * 1024 * 1024
export const PDF_IMAGE_BYTES_MAX = 1024 * 1024 * 1024
/** Levels of a page tree, a field tree or a name tree. */
export const PDF_TREE_DEPTH_MAX = 100
