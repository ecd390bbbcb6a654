/** Sent to the page: finds the controls whose ring of focus is missing or cut off. It has no access to this process. */

// biome-ignore-start lint/suspicious/noExplicitAny: the names of the browser, which the types of Node do not have
declare const document: any
declare const window: any
declare const getComputedStyle: any
// biome-ignore-end lint/suspicious/noExplicitAny: the names of the browser, which the types of Node do not have

/**
 * Each control that takes the focus by keys and does not show it whole: a part around it cuts its ring off, or there is
 * no ring. The last input must have been a key.
 */
export function findCutRings(): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page
  const drawn = (element: any) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
    const width = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
    return { width, reach: width + Number.parseFloat(outlineOffset) }
  }
  // biome-ignore lint/suspicious/noExplicitAny: an element of the page
  const borderOf = (element: any) =>
    [element, element.closest('[class*=Input-wrapper] > *')]
      .map((one) => one && getComputedStyle(one).borderColor)
      .join()
  const selector =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])'
  const found: string[] = []
  for (const control of document.querySelectorAll(selector)) {
    if (control.disabled || !control.checkVisibility({ visibilityProperty: true })) continue
    const before = borderOf(control)
    control.focus()
    if (document.activeElement !== control || !control.matches(':focus-visible')) continue
    const name = (control.getAttribute('aria-label') ?? control.textContent ?? '').trim().slice(0, 40)
    const what = `${control.localName}.${String(control.className).split(' ')[0]} "${name || control.name}"`
    // The ring of a control that is drawn by another element is around that element.
    const around = [control, control.nextElementSibling, control.parentElement, ...(control.labels ?? [])]
    const ringed = around.find((one) => one != null && drawn(one).width > 0)
    if (ringed === undefined) {
      if (borderOf(control) === before) found.push(`${what} has no ring`)
      continue
    }
    const { reach } = drawn(ringed)
    const box = ringed.getBoundingClientRect()
    const ring = {
      left: box.left - reach,
      top: box.top - reach,
      right: box.right + reach,
      bottom: box.bottom + reach,
    }
    for (let part = ringed.parentElement; part !== null; part = part.parentElement) {
      const { overflowX, overflowY, contain, clipPath } = getComputedStyle(part)
      const cuts = /paint|strict|content/.test(contain) || clipPath !== 'none'
      const inside = part.getBoundingClientRect()
      if (part === document.body || part === document.documentElement) break
      const left = inside.left + part.clientLeft
      const top = inside.top + part.clientTop
      const cutX =
        (cuts || overflowX !== 'visible') &&
        (ring.left < left - 0.6 || ring.right > left + part.clientWidth + 0.6)
      const cutY =
        (cuts || overflowY !== 'visible') &&
        (ring.top < top - 0.6 || ring.bottom > top + part.clientHeight + 0.6)
      if (cutX || cutY) {
        found.push(`${what} is cut off by .${String(part.className).split(' ')[0] || part.localName}`)
        break
      }
    }
    if (ring.left < -0.6 || ring.right > window.innerWidth + 0.6) found.push(`${what} leaves the window`)
  }
  document.activeElement?.blur()
  return [...new Set(found)]
}
