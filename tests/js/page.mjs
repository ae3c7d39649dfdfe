// Opens the page of `mdh2urdf view`, moves one slider to its upper end, and tells what the page says before and after:
// node page.mjs CHROMIUM ADDRESS SLIDER FOLDER_FOR_THE_PROFILE [SCREENSHOT]
// Without a screenshot the page is small and coarse: a processor has to do the work of a graphics card.
import { chromium } from 'playwright-core';

const [executablePath, address, slider, profile, screenshot] = process.argv.slice(2);
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: screenshot ? { width: 1280, height: 720 } : { width: 900, height: 500 },
  deviceScaleFactor: screenshot ? 1 : 0.4,
  args: [
    '--no-sandbox',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
const errors = [];
const page = context.pages()[0] ?? (await context.newPage());
page.on('pageerror', (error) => errors.push(String(error)));
await page.goto(address);
await page.locator('#pose-x').waitFor();

// The cells of poses and of the table, and the sliders' values.
const read = () =>
  page.evaluate(() => ({
    cells: Object.fromEntries([...document.querySelectorAll('[id^=pose-], [id^=against-], [id^=gap-]')].map((cell) => [cell.id, cell.textContent])),
    table: [...document.querySelectorAll('table.dh tr')].map((row) => [...row.children].map((cell) => cell.textContent)),
    sliders: [...document.querySelectorAll('[role=slider]')].map((thumb) => thumb.getAttribute('aria-valuenow')),
    switches: [...document.querySelectorAll('input[type=checkbox]')].map((box) => box.checked),
  }));

const before = await read();
const thumb = page.getByRole('slider').nth(Number(slider));
await thumb.focus();
await page.keyboard.press('End');
await page.waitForFunction((text) => document.querySelector('#pose-x').textContent !== text, before.cells['pose-x']);
const after = await read();

// Hiding the links must change the picture.
const toast = page.getByRole('alert').getByRole('button');
if ((await toast.count()) > 0) await toast.first().click();
await page.waitForTimeout(500);
const canvas = page.locator('canvas').first();
const withLinks = await canvas.screenshot();
if (screenshot) await page.screenshot({ path: screenshot });
await page.locator('input[type=checkbox]:visible').first().click();
await page.waitForTimeout(1000);
const hidesLinks = !withLinks.equals(await canvas.screenshot());
await context.close();
console.log(JSON.stringify({ before, after, hidesLinks, errors }));
