from support.differential import assert_same, evaluate


def test_coroutines_tasks_and_threads():
    assert_same(
        """
        import asyncio
        async def f(x):
            await asyncio.sleep(0)
            return x + 1
        def plain(x): return x * 2
        async def bad(): raise ValueError("no")
        async def main():
            task = asyncio.create_task(f(1))
            both = await asyncio.gather(f(2), f(3))
            lock = asyncio.Lock()
            async with lock:
                held = True
            loop = asyncio.get_running_loop()
            other = await loop.run_in_executor(None, plain, 4)
            try:
                await bad()
            except ValueError as error:
                said = str(error)
            return [await task, list(both), held, other, await asyncio.to_thread(plain, 5), said,
                    await asyncio.wait_for(f(7), 1), task.result()]
        r = asyncio.run(main())
        """,
        "r",
    )


def test_no_loop_may_be_running():
    run = evaluate(
        """
        import asyncio
        try:
            asyncio.get_running_loop()
            r = 1
        except RuntimeError:
            r = 2
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        async def f(): return 3
        s = loop.run_until_complete(f())
        t = issubclass(asyncio.CancelledError, Exception)
        """
    )
    assert {o.d for o in run.value("r").d.options} == {1, 2}
    assert run.plain("s") == 3
    assert run.plain("t") is False


def test_what_the_loop_calls_later():
    run = evaluate(
        """
        import asyncio
        def later(): pass
        asyncio.new_event_loop().call_soon(later)
        """
    )
    assert "subject.later" in run.engine.trace.escaped
