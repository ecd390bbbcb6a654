/**
 * The largest body of a short load: about three hundred lines. A short load is received whole before it begins, and
 * takes no turn.
 */
export const shortLoadBytesMax = 65_536
