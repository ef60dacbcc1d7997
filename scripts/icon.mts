import { launchBrowser } from './editor/browser.mts';

/** Draws media/icon.png, which the Marketplace wants as a bitmap, from media/icon.svg. */
const size = 256;
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: size, height: size } });
await page.goto(new URL('../media/icon.svg', import.meta.url).href);
await page.screenshot({ path: 'media/icon.png', omitBackground: true });
await browser.close();
