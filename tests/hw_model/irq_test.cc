// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Level semantics of an interrupt line.
#include "hw_model/irq.h"

#include <gtest/gtest.h>

namespace caamlab::hw_model {
namespace {

TEST(LevelIrq, RunsTheHandlerOnlyWhileHighAndOnlyFromDeliver) {
  LevelIrq irq;
  int calls = 0;
  irq.request_irq([&calls] { ++calls; });
  EXPECT_FALSE(irq.deliver());
  irq.set_level(true);
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(irq.deliver());
  EXPECT_TRUE(irq.deliver());  // still high: again
  EXPECT_EQ(calls, 2);
  irq.set_level(false);
  EXPECT_FALSE(irq.deliver());
  EXPECT_EQ(irq.delivered(), 2u);
}

TEST(LevelIrq, ALineThatRisesBeforeSomebodyListensIsNotLost) {
  LevelIrq irq;
  int calls = 0;
  irq.set_level(true);
  EXPECT_FALSE(irq.deliver());
  irq.request_irq([&] {
    ++calls;
    irq.set_level(false);
  });
  EXPECT_TRUE(irq.deliver());
  EXPECT_FALSE(irq.deliver());
  EXPECT_EQ(calls, 1);
}

TEST(LevelIrq, NoNestingAndAHandlerMayFreeItsLine) {
  LevelIrq irq;
  int calls = 0;
  bool nested = true;
  irq.set_level(true);
  irq.request_irq([&] {
    ++calls;
    nested = irq.deliver();
    irq.free_irq();
    ++calls;  // its captures are still alive
  });
  EXPECT_TRUE(irq.deliver());
  EXPECT_FALSE(nested);
  EXPECT_FALSE(irq.deliver());
  EXPECT_EQ(calls, 2);
  irq.request_irq({});
  EXPECT_FALSE(irq.deliver());
}

}  // namespace
}  // namespace caamlab::hw_model
