/** Builds elements. Texts become text nodes, never markup. */
import { foreignLanguage } from './texts.ts'

type Child = Node | string | undefined | null | false | readonly Child[]

type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'style' | 'children' | 'dataset'>
> & { readonly attributes?: never; readonly aria?: Readonly<Record<string, string>> }

/**
 * An element with its properties (`className`, `onclick`, ...) and children; undefined children are left out.
 * @param properties `aria` has attributes `aria-*` by name, and `role`
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { aria = {}, ...properties }: Properties<Name> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  for (const [key, value] of Object.entries(aria)) {
    element.setAttribute(key === 'role' ? key : `aria-${key}`, value)
  }
  append(element, children)
  return element
}

/** An SVG element with its attributes. */
export function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: Child[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  append(element, children)
  return element
}

/** why: a screen reader pronounces another language only where it is told to */
function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child as readonly Child[])
    else if (child) {
      const language = typeof child === 'string' ? foreignLanguage(child) : undefined
      if (language !== undefined) element.setAttribute('lang', language)
      element.append(child as Node | string)
    }
  }
}
