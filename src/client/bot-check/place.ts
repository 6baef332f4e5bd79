/** Marks the place for the check within a form; by default it precedes the send button. */
const attribute = 'data-svc-bot-check'

export function placeIn(form: HTMLFormElement): HTMLElement {
  const place = form.querySelector<HTMLElement>(`[${attribute}]`) ?? newPlace(form)
  place.replaceChildren()
  return place
}

function newPlace(form: HTMLFormElement): HTMLElement {
  const place = document.createElement('div')
  place.setAttribute(attribute, '')
  const button = form.querySelector('[type=submit], [type=image], button:not([type])')
  if (button) button.before(place)
  else form.append(place)
  return place
}
