import { idOf } from '../page-forms.ts'

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
  // Of forms that have left the page.
  for (const trap of root.querySelectorAll<HTMLInputElement>('[form][aria-hidden]')) if (!trap.form) trap.remove()

  const trap = document.createElement('input')
  const attributes = { name, form: idIn(root, form), tabindex: '-1', autocomplete: 'off', 'aria-hidden': 'true' }
  for (const [attribute, value] of Object.entries(attributes)) trap.setAttribute(attribute, value)
  // Not by its attribute, which a strict Content-Security-Policy refuses.
  trap.style.cssText = style
  ;(root === document ? document.documentElement : root).append(trap)
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
    const free = `svc-${idOf(form)}-${count}`
    if (!root.getElementById(free)) id = free
  }
  form.setAttribute('id', id)
  return id
}
