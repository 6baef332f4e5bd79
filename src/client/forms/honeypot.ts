import { controlsOf, formPrototype, idOf, isInPage } from '../page-forms.ts'

/** A page's own fields may look alike while they wait for a form that comes later. */
type Trap = HTMLInputElement & { svc?: boolean }

/**
 * Opacity works in every layout, and absolute positioning takes no room in a flex box or grid. All are important, since
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
  if (controlsOf(form).namedItem(name) || !isInPage(form)) return
  const root = formPrototype.getRootNode.call(form) as Document | ShadowRoot
  const place = root === document ? document.body : root
  // Of forms that have left the page.
  for (const left of [...place.children] as Trap[]) if (left.svc && !left.form) left.remove()

  const properties = { name, tabIndex: -1, autocomplete: 'off', svc: true } as const
  const trap: Trap = Object.assign(document.createElement('input'), properties)
  trap.setAttribute('form', idIn(root, form))
  trap.setAttribute('aria-hidden', 'true')
  // Not by its attribute, which a strict Content-Security-Policy refuses.
  trap.style.cssText = style
  place.append(trap)
  // If two forms share an id, the field would belong to the first.
  if (trap.form !== form) {
    trap.removeAttribute('form')
    formPrototype.append.call(form, trap)
  }
}

function idIn(root: Document | ShadowRoot, form: HTMLFormElement): string {
  let id = formPrototype.getAttribute.call(form, 'id')
  for (let count = 1; !id; count++) {
    id = `svc-${idOf(form)}-${count}`
    if (root.getElementById(id)) id = null
  }
  formPrototype.setAttribute.call(form, 'id', id)
  return id
}
