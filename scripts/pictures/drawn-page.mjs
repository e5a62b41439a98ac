/**
 * The visible part of a page as SVG text. It runs in the page, so it uses nothing outside of itself. It knows what the console uses: boxes with
 * borders, texts, icons, values of fields and canvases. It knows no shadows, no gradients and no pseudo-elements.
 */
export function drawnPage(title) {
  const { innerWidth: width, innerHeight: height } = window;
  const measure = document.createElement('canvas').getContext('2d');
  const round = (number) => Math.round(number * 10) / 10;
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const attributes = (pairs) =>
    Object.entries(pairs)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
      .join('');
  const isPainted = (color) => color !== 'transparent' && !/, 0\)$|\/ 0\)$/.test(color);
  const isInside = ({ left, top, right, bottom }) =>
    right - left > 1 && bottom - top > 1 && right > 0 && bottom > 0 && left < width && top < height;

  function boxOf(rect, style) {
    const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => ({
      size: style[`border${side}Style`] === 'none' ? 0 : Number.parseFloat(style[`border${side}Width`]),
      color: style[`border${side}Color`],
    }));
    const isFrame = sides.every(({ size, color }) => size > 0 && color === sides[0].color && isPainted(color));
    const fill = isPainted(style.backgroundColor) ? style.backgroundColor : 'none';
    const inset = isFrame ? sides[0].size / 2 : 0;
    const place = {
      x: round(rect.left + inset),
      y: round(rect.top + inset),
      width: round(rect.width - 2 * inset),
      height: round(rect.height - 2 * inset),
    };
    const radius = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, rect.height / 2);
    const stroke = isFrame ? { stroke: sides[0].color, 'stroke-width': sides[0].size } : {};
    const parts = [];
    if (fill !== 'none' || isFrame)
      parts.push(`<rect${attributes({ ...place, rx: radius || undefined, fill, ...stroke })}/>`);
    if (!isFrame) parts.push(...sides.map((side, index) => lineOf(rect, side, index)));
    return parts.join('');
  }

  function lineOf(rect, { size, color }, index) {
    if (size === 0 || !isPainted(color)) return '';
    const isHorizontal = index % 2 === 0;
    return `<rect${attributes({
      x: round(index === 1 ? rect.right - size : rect.left),
      y: round(index === 2 ? rect.bottom - size : rect.top),
      width: round(isHorizontal ? rect.width : size),
      height: round(isHorizontal ? size : rect.height),
      fill: color,
    })}/>`;
  }

  /** The bar at the left of a current link: `inset 3px 0` in the color of the accent. */
  function barOf(rect, { boxShadow }) {
    const [, color, size] = /^(rgb[^)]*\)) (\d+)px 0px 0px 0px inset$/.exec(boxShadow) ?? [];
    if (color === undefined) return '';
    return `<rect${attributes({ x: round(rect.left), y: round(rect.top), width: size, height: round(rect.height), fill: color })}/>`;
  }

  /** The mark before the name: a square of two colors. It is the only pseudo-element with a picture. */
  function markOf(element, rect) {
    const style = getComputedStyle(element, '::before');
    const [, angle, stop] = /^linear-gradient\((\d+)deg,.* (\d+)%\)$/.exec(style.backgroundImage) ?? [];
    const colors = style.backgroundImage.match(/rgb[^)]*\)/g) ?? [];
    if (style.content === 'none' || angle !== '135') return '';
    const size = Number.parseFloat(style.width);
    const stops = [colors[0], colors.at(-1)].map((color) => `<stop offset="${stop}%" stop-color="${color}"/>`);
    const place = {
      x: round(rect.left),
      y: round(rect.top + (rect.height - size) / 2),
      width: size,
      height: size,
      rx: 4,
    };
    return `<linearGradient id="mark" x2="1" y2="1">${stops.join('')}</linearGradient><rect${attributes({ ...place, fill: 'url(#mark)' })}/>`;
  }

  /** One `text` element. `rect` is where the browser has drawn the text. `textLength` keeps the width with another font. */
  function lineOfText(text, rect, style, isUnderlined = false) {
    if (text.trim() === '' || !isInside(rect)) return '';
    measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = measure.measureText(text);
    const isMono = /mono/.test(style.fontFamily);
    return `<text${attributes({
      x: round(rect.left),
      y: round(rect.top + (rect.height - ascent - descent) / 2 + ascent),
      textLength: round(rect.width),
      lengthAdjust: 'spacingAndGlyphs',
      class: isMono ? 'm' : undefined,
      'font-size': Number.parseFloat(style.fontSize),
      'font-weight': style.fontWeight === '400' ? undefined : style.fontWeight,
      'text-decoration': isUnderlined ? 'underline' : undefined,
      fill: style.color,
    })}>${escaped(text)}</text>`;
  }

  /** The lines of a text node: its characters by the height at which the browser has drawn them. */
  function textOf(node, style, isUnderlined) {
    const range = document.createRange();
    const lines = [];
    for (let index = 0; index < node.length; index += 1) {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const [rect] = range.getClientRects();
      if (rect === undefined || rect.width === 0) continue;
      const last = lines.at(-1);
      if (last && Math.abs(last.rect.top - rect.top) < 2) {
        last.text += node.data[index];
        last.rect = new DOMRect(last.rect.left, last.rect.top, rect.right - last.rect.left, rect.height);
      } else lines.push({ text: node.data[index], rect });
    }
    const cased = (text) => (style.textTransform === 'uppercase' ? text.toUpperCase() : text);
    return lines
      .map(({ text, rect }) => lineOfText(cased(text.replace(/\s/g, ' ')), rect, style, isUnderlined))
      .join('');
  }

  /** An icon with the colors that the style sheet gives its parts. */
  function iconOf(element, rect) {
    const copy = element.cloneNode(true);
    const originals = [element, ...element.querySelectorAll('*')];
    for (const [index, part] of [copy, ...copy.querySelectorAll('*')].entries()) {
      const style = getComputedStyle(originals[index]);
      for (const name of ['class', 'style', 'aria-hidden', 'role', 'focusable']) part.removeAttribute(name);
      for (const name of ['fill', 'stroke', 'stroke-width', 'opacity'])
        part.setAttribute(name, style.getPropertyValue(name));
    }
    for (const name of ['x', 'y', 'width', 'height'])
      copy.setAttribute(name, round({ x: rect.left, y: rect.top, width: rect.width, height: rect.height }[name]));
    return new XMLSerializer().serializeToString(copy);
  }

  function fieldOf(element, rect, style) {
    const text =
      element instanceof HTMLSelectElement
        ? (element.selectedOptions[0]?.label ?? '')
        : element.value || element.placeholder;
    if (!text) return '';
    const left = rect.left + Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
    measure.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return lineOfText(text, new DOMRect(left, rect.top, measure.measureText(text).width, rect.height), style);
  }

  function drawn(element, isLineAbove = false) {
    const style = getComputedStyle(element);
    const isUnderlined = isLineAbove || style.textDecorationLine === 'underline';
    const rect = element.getBoundingClientRect();
    if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0') return '';
    if (style.display !== 'contents' && rect.width * rect.height <= 1 && style.overflow !== 'visible') return '';
    if (style.position === 'absolute' && style.clipPath.startsWith('inset(50%')) return '';
    if (element instanceof SVGElement) return isInside(rect) ? iconOf(element, rect) : '';
    const parts = isInside(rect) ? [boxOf(rect, style), barOf(rect, style), markOf(element, rect)] : [];
    if (element instanceof HTMLCanvasElement)
      parts.push(
        `<image${attributes({ x: round(rect.left), y: round(rect.top), width: round(rect.width), height: round(rect.height), href: element.toDataURL() })}/>`,
      );
    else if (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) parts.push(fieldOf(element, rect, style));
    else
      for (const node of element.childNodes)
        if (node instanceof Text) parts.push(textOf(node, style, isUnderlined));
        else if (node instanceof Element) parts.push(drawn(node, isUnderlined));
    const content = parts.join('');
    return content && style.opacity !== '1' ? `<g opacity="${style.opacity}">${content}</g>` : content;
  }

  const background = [document.body, document.documentElement]
    .map((element) => getComputedStyle(element).backgroundColor)
    .find(isPainted);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escaped(title)}</title>
<style>text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;white-space:pre}.m{font-family:ui-monospace,Menlo,Consolas,monospace}</style>
<rect width="${width}" height="${height}" fill="${background ?? '#fff'}"/>
${drawn(document.body).replaceAll('><', '>\n<')}
</svg>
`;
}
