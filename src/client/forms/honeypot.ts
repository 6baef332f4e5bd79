import { idOf } from '../page-forms.ts'

/** A page's own fields may look alike, and wait for a form that has not come yet. */
type Trap = HTMLInputElement & { svc?: boolean }

/**
 * Opacity holds in every layout, and what stands absolutely takes no room in a flex box or grid. Each is important, since
 * pages style every `input`.
 */
const style =
  'all:initial!important;position:absolute!important;top:0!important;left:0!important;width:1px!important;opacity:0!important;pointer-events:none!important'

/**
 * Gives a form its honeypot, out of sight of people, keyboards, screen readers and form fillers. The field belongs to the
 * form by its `form` attribute and stands behind everything else: inside the form it would be somebody's last child or
 * next sibling, and the page's styles would hit it or what is beside it.
 */
export function addHoneypot(form: HTMLFormElement, name: string): void {
  if (form.elements.namedItem(name) || !form.isConnected) return
  const root = form.getRootNode() as Document | ShadowRoot
  const place = root === document ? document.documentElement : root
  // Of forms that have left the page.
  for (const left of [...place.children] as Trap[]) if (left.svc && !left.form) left.remove()

  const properties = { name, tabIndex: -1, autocomplete: 'off', svc: true } as const
  const trap: Trap = Object.assign(document.createElement('input'), properties)
  trap.setAttribute('form', idIn(root, form))
  trap.setAttribute('aria-hidden', 'true')
  // Not by its attribute, which a strict Content-Security-Policy refuses.
  trap.style.cssText = style
  place.append(trap)
  // Where two forms have one id, the field would belong to the first of them.
  if (trap.form !== form) {
    trap.removeAttribute('form')
    form.append(trap)
  }
}

/** The id of the form, which may have none. An attribute: a field may be called `id`. */
function idIn(root: Document | ShadowRoot, form: HTMLFormElement): string {
  let id = form.getAttribute('id')
  for (let count = 1; !id; count++) {
    id = `svc-${idOf(form)}-${count}`
    if (root.getElementById(id)) id = null
  }
  form.setAttribute('id', id)
  return id
}
