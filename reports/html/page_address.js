/* SPDX-License-Identifier: MIT */
// What is on view as the part of the address after "#", so that it can be sent: row=NAME opens a
// row; the other keys are filters and the order. An address is text and stays text.
(() => {
  /** Undoes the escapes of a part of the address; as it is where they are wrong. */
  function decode(text) {
    try {
      return decodeURIComponent(text.replaceAll("+", " "));
    } catch {
      return text;
    }
  }

  const encode = (text) => encodeURIComponent(text).replace(/%(2F|3A|2C)/g, decodeURIComponent);

  /** Pairs [key, value] of the address; null if it leads to a section of the page, or nowhere. */
  function readAddress(hash = location.hash) {
    const text = hash.slice(1);
    if (!text.includes("=")) return null;
    return text.split("&").map((part) => {
      const [key, ...value] = part.split("=");
      return [decode(key), decode(value.join("="))];
    });
  }

  /** The address of this page with these pairs. */
  function makeAddress(pairs) {
    const text = pairs.map(([key, value]) => `${key}=${encode(value)}`).join("&");
    return location.href.split("#")[0] + (text ? `#${text}` : "");
  }

  /** Shows the pairs in the address bar; unless `isStep`, going back skips what was there. */
  function writeAddress(pairs, isStep) {
    const address = makeAddress(pairs);
    if (address === location.href) return;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  Object.assign(touchstone, { readAddress, makeAddress, writeAddress });
})();
